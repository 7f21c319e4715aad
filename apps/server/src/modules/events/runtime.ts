import type { Clock } from '@merlon/base'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { NoticeBoard } from '../../db/notices.ts'
import type { Geo } from '../../geo/index.ts'
import { Batcher } from './batcher.ts'
import { detectOnce } from './detections/detector.ts'
import { DiskGuard } from './disk-guard.ts'
import { isInboxEmpty } from './detections/detections.repo.ts'
import { foldOnce, isLogEmpty } from './fold.repo.ts'
import { sendHint } from './hints.repo.ts'
import { startLoop } from './loop.ts'
import { ensurePartitions } from './partitions.repo.ts'
import { StreamHub } from './stream-hub.ts'

export const EVENTS_CHANNEL = 'merlon_events'
const FOLD_EVERY_MS = 1_000
const DETECT_EVERY_MS = 1_000
/** A notice for each commit would cost the writers more than the events themselves. */
const HINT_EVERY_MS = 100

export interface EventsRuntime {
  readonly pool: pg.Pool
  readonly geo: Geo
  readonly batcher: Batcher
  readonly hub: StreamHub
  readonly disk: DiskGuard
  /** Until everything that came in has been counted and looked at. */
  settle(): Promise<void>
  close(): Promise<void>
}

declare module '../../http/implement.ts' {
  interface Services {
    readonly events: EventsRuntime
  }
}

export interface EventsDeps {
  readonly pool: pg.Pool
  readonly notices: NoticeBoard
  readonly geo: Geo
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** The folder of the embedded database, whose disk is watched. */
  readonly dataDir: string | undefined
  /** Whether this node folds and detects, or only takes events in. */
  readonly works: boolean
  readonly onStored?: (appIds: ReadonlySet<string>) => void
}

export async function startEvents(deps: EventsDeps): Promise<EventsRuntime> {
  const { pool, notices, geo, clock, log } = deps
  const now = (): number => clock.now()
  await ensurePartitions(pool, now())
  const onError = (what: string) => (error: unknown) => log.error({ err: error }, what)

  const hub = new StreamHub(pool, onError('the live stream could not read'))
  const hinted = new Set<string>()
  const sendHints = async (): Promise<void> => {
    if (hinted.size === 0) return
    const appIds = [...hinted]
    hinted.clear()
    await sendHint(pool, EVENTS_CHANNEL, appIds)
  }
  const hints = setInterval(
    () => void sendHints().catch(onError('a hint was not sent')),
    HINT_EVERY_MS,
  )
  const stored = (appIds: ReadonlySet<string>, forDetector = false): void => {
    for (const appId of appIds) hinted.add(appId)
    hub.hint(appIds)
    if (forDetector) detector?.ring()
    deps.onStored?.(appIds)
  }
  await notices.on(EVENTS_CHANNEL, (payload) => hub.hint(payload.split(' ')))

  const onUnjudged = onError('an entry could not be judged and is left out')
  const detect = () => detectOnce({ pool, geo, now, onFound: stored, onUnjudged })
  const detector = deps.works
    ? startLoop({
        pauseMs: DETECT_EVERY_MS,
        work: async () => (await detect()) > 0,
        onError: onError('detection failed'),
      })
    : undefined
  const folder = deps.works
    ? startLoop({
        pauseMs: FOLD_EVERY_MS,
        work: async () => (await foldOnce(pool)) > 0,
        onError: onError('folding failed'),
      })
    : undefined
  const batcher = new Batcher({ pool, now, onStored: stored })
  const disk = new DiskGuard({
    folder: deps.dataDir,
    onChange: (full) =>
      log.error(
        { full },
        full ? 'the disk is nearly full: events are refused' : 'the disk has room again',
      ),
  })
  disk.start()

  return {
    pool,
    geo,
    batcher,
    hub,
    disk,
    async settle() {
      await batcher.drain()
      // Another node, or our own loop, may hold a part: nothing is over before it has ended too.
      while (!(await isInboxEmpty(pool))) await detect()
      while (!(await isLogEmpty(pool))) await foldOnce(pool)
    },
    async close() {
      disk.stop()
      await batcher.drain()
      clearInterval(hints)
      await hub.close()
      await Promise.all([detector?.stop(), folder?.stop()])
    },
  }
}
