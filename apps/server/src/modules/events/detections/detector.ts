import { createOrderedIds } from '@merlon/base'
import type pg from 'pg'
import { inClientTransaction } from '../../../db/tx.ts'
import type { Geo } from '../../../geo/index.ts'
import { storable } from '../clean-payload.ts'
import { writeFresh } from '../store.repo.ts'
import type { StoredEvent } from '../stored-event.ts'
import {
  loadStates,
  saveStates,
  stateId,
  takeInbox,
  type InboxRow,
  type StateKey,
} from './detections.repo.ts'
import type { Finding } from './finding.ts'
import { judge, statesNeeded } from './judge.ts'

const nextId = createOrderedIds('event')

export interface DetectorOptions {
  readonly pool: pg.Pool
  readonly geo: Geo
  readonly now: () => number
  readonly onFound: (appIds: ReadonlySet<string>) => void
  readonly onUnjudged: (error: unknown) => void
}

/**
 * Looks at one batch of what came in; answers how many entries it saw. Taking the entries, the new
 * states and the events it found are one transaction: a crash neither loses nor doubles a finding.
 */
export async function detectOnce(options: DetectorOptions): Promise<number> {
  const { seen, found } = await inClientTransaction(options.pool, async (client) => {
    const { seen, rows } = await takeInbox(client)
    const events = rows.length === 0 ? [] : await judgeRows(client, rows, options)
    await writeFresh(client, events)
    return { seen, found: new Set(events.map((event) => event.appId)) }
  })
  if (found.size > 0) options.onFound(found)
  return seen
}

async function judgeRows(
  client: pg.PoolClient,
  rows: readonly InboxRow[],
  { geo, now: clock, onUnjudged }: DetectorOptions,
): Promise<StoredEvent[]> {
  const now = clock()
  /** An entry that nobody can judge would stop all others behind it, for every app: it is left out. */
  const orLeaveOut = <T>(work: () => readonly T[]): readonly T[] => {
    try {
      return work()
    } catch (error) {
      onUnjudged(error)
      return []
    }
  }
  const keys = new Map<string, StateKey>()
  for (const { appId, entry } of rows) {
    for (const { kind, key } of orLeaveOut(() => statesNeeded(entry))) {
      const stateKey = { appId, kind, key }
      keys.set(stateId(stateKey), stateKey)
    }
  }
  const states = await loadStates(client, [...keys.values()])
  const changed = new Map<string, { key: StateKey; state: unknown }>()
  const events: StoredEvent[] = []
  for (const { appId, entry } of rows) {
    const book = {
      read: (kind: string, key: string) => states.get(stateId({ appId, kind, key })),
      write(kind: string, key: string, state: unknown) {
        const id = stateId({ appId, kind, key })
        states.set(id, state)
        changed.set(id, { key: { appId, kind, key }, state })
      },
    }
    const found = orLeaveOut(() => judge(entry, book, now))
    events.push(...found.map((finding) => eventOf(appId, finding, geo, now)))
  }
  await saveStates(client, [...changed.values()], now)
  return events
}

function eventOf(appId: string, finding: Finding, geo: Geo, now: number): StoredEvent {
  const place = finding.ip === null ? undefined : geo.lookup(finding.ip)
  return {
    appId,
    id: nextId(now),
    at: finding.at,
    receivedAt: now,
    type: finding.type,
    module: 'monitor',
    severity: finding.severity,
    title: storable(finding.title.slice(0, 500)),
    description: storable(finding.description.slice(0, 10_000)),
    ip: finding.ip,
    userId: finding.userId,
    country: place?.country ?? null,
    city: place?.city ?? null,
    asn: place?.asn ?? null,
    payloadText: JSON.stringify(finding.payload),
    attackType: null,
    clientId: null,
    inbox: null,
    kept: true,
  }
}
