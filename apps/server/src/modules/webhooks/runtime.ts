import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@merlon/base'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/tx.ts'
import { startWorker } from '../../jobs/index.ts'
import { createSender, type ResolveName } from '../../net/index.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { startLoop } from '../events/index.ts'
import { unpark } from './attempt.repo.ts'
import { deliverJob, enqueueDelivery } from './deliver.job.ts'
import { mendPositions, readStoreMark } from './dispatch.repo.ts'
import { Dispatcher } from './dispatcher.ts'

export interface WebhooksDeps {
  readonly db: Db
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly keyring: Keyring
  /** Whether receivers on loopback and private addresses may be called. */
  readonly allowPrivate: boolean
  /** Whether this node sends, or only takes settings. */
  readonly works: boolean
  readonly resolve?: ResolveName
  readonly random?: () => number
}

export interface WebhooksRuntime {
  /** Events of these apps were stored: look soon, not only at the next second. */
  ring(appIds: Iterable<string>): void
  /** Until everything that can be sent now was sent. */
  settle(): Promise<void>
  close(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
/** Events that come within this time of each other share a delivery. */
const LINGER_MS = 200
/** Own hands: a scan of ten minutes must not hold up an alarm, nor a slow receiver a scan. */
const CONCURRENCY = 8
const SETTLE_LOOK_MS = 5

export async function startWebhooks(deps: WebhooksDeps): Promise<WebhooksRuntime> {
  if (!deps.works) return { ring: () => undefined, settle: noWork, close: noWork }
  const { db, pool, clock, log, keyring, allowPrivate, resolve, random = Math.random } = deps
  const mended = await mendPositions(db)
  if (mended > 0) log.warn({ mended }, 'webhooks go on from now: the database is another one')

  const sender = createSender({ allowPrivate, ...(resolve === undefined ? {} : { resolve }) })
  const worker = startWorker({
    db,
    pool,
    clock,
    log,
    concurrency: CONCURRENCY,
    handlers: [deliverJob({ keyring, sender, random })],
  })
  const dispatcher = new Dispatcher({ db, pool, clock })
  const look = async (): Promise<boolean> => {
    await wakeParked(db, clock)
    return dispatcher.pass()
  }
  const loop = startLoop({
    pauseMs: LOOK_EVERY_MS,
    work: look,
    onError: (error) => log.error({ err: error }, 'webhooks could not be dispatched'),
  })
  let soon: NodeJS.Timeout | undefined

  return {
    ring(appIds) {
      dispatcher.hint(appIds)
      soon ??= setTimeout(() => {
        soon = undefined
        loop.ring()
      }, LINGER_MS)
    },
    async settle() {
      const { nextXid } = await readStoreMark(db, '0')
      while (!(await readStoreMark(db, nextXid)).ended) await sleep(SETTLE_LOOK_MS)
      do {
        dispatcher.forget()
        while (await look());
        await worker.idle()
        dispatcher.forget()
      } while (await look())
    },
    async close() {
      clearTimeout(soon)
      await loop.stop()
      await worker.stop({ timeoutMs: 5_000 })
      await sender.close()
    },
  }
}

async function noWork(): Promise<void> {}

async function wakeParked(db: Db, clock: Clock): Promise<void> {
  await inTransaction(db, async (tx) => {
    const woken = await unpark(tx, new Date(clock.now()))
    for (const delivery of woken) await enqueueDelivery(tx, delivery, clock)
  })
}
