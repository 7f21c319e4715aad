import type { Clock } from '@merlon/base'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/tx.ts'
import {
  positionOf,
  readSince,
  toSecurityEvent,
  type CommitPosition,
  type SequencedRow,
} from '../events/index.ts'
import { enqueueDelivery } from './deliver.job.ts'
import { insertDelivery, type EventPlaces } from './deliveries.repo.ts'
import { advance, listReady, type WaitingWebhook } from './dispatch.repo.ts'
import { matchesAny } from './match-type.ts'
import { wasVisible } from './snapshot.ts'

export interface DispatchDeps {
  readonly db: Db
  readonly pool: pg.Pool
  readonly clock: Clock
}

const READ_MAX = 200
const EVENTS_MAX = 100
const BYTES_MAX = 1024 * 1024

/** Turns what is new into deliveries, one for each webhook. Answers whether there may be more. */
export async function dispatchOnce(deps: DispatchDeps): Promise<boolean> {
  let more = false
  for (const webhook of await listReady(deps.db, new Date(deps.clock.now()))) {
    if (await dispatchTo(webhook, deps)) more = true
  }
  return more
}

/**
 * The delivery, the new position and the job that sends it become true together. Whoever moves the
 * position first has it: a second node finds it moved and leaves the events alone, and a crash at
 * any point leaves either all three or none. Answers whether there was anything to read.
 */
export async function dispatchTo(webhook: WaitingWebhook, deps: DispatchDeps): Promise<boolean> {
  const { db, pool, clock } = deps
  const rows = await readSince(pool, webhook.appId, webhook.position, READ_MAX)
  const { chosen, position } = chooseEvents(rows, webhook)
  if (position === undefined) return false
  await inTransaction(db, async (tx) => {
    if (!(await advance(tx, webhook, position)) || chosen.length === 0) return
    const delivery = await insertDelivery(
      tx,
      { appId: webhook.appId, webhookId: webhook.id, places: placesOf(chosen) },
      clock.now(),
    )
    await enqueueDelivery(tx, { id: delivery.id, attempts: 0 }, clock)
  })
  return true
}

/** As many of the wanted events as one call may carry, and how far that goes. */
export function chooseEvents(
  rows: readonly SequencedRow[],
  { events, since }: Pick<WaitingWebhook, 'events' | 'since'>,
): {
  readonly chosen: readonly SequencedRow[]
  readonly position: CommitPosition | undefined
} {
  const chosen: SequencedRow[] = []
  let bytes = 0
  let position: CommitPosition | undefined
  for (const row of rows) {
    if (!wasVisible(since, row.xid) && matchesAny(events, row.type)) {
      bytes += Buffer.byteLength(JSON.stringify(toSecurityEvent(row)))
      if (chosen.length === EVENTS_MAX || (bytes > BYTES_MAX && chosen.length > 0)) break
      chosen.push(row)
    }
    position = positionOf(row)
  }
  return { chosen, position }
}

function placesOf(rows: readonly SequencedRow[]): EventPlaces {
  const times = rows.map((row) => row.ts.getTime())
  return {
    ids: rows.map((row) => row.id),
    xids: rows.map((row) => row.xid),
    from: new Date(Math.min(...times)),
    until: new Date(Math.max(...times)),
  }
}
