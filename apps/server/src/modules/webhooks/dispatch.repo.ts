import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { CommitPosition } from '../events/index.ts'

export interface WaitingWebhook {
  readonly id: string
  readonly appId: string
  readonly events: readonly string[]
  readonly position: CommitPosition
  /** What was visible when it began. */
  readonly since: string
}

/** So many may be on their way for the first time; more wait as events, and share a delivery. */
const FRESH_MAX = 10

/** The webhooks that may be given something now. Whether there is anything is another question. */
export async function listReady(db: Db, now: Date): Promise<readonly WaitingWebhook[]> {
  const { rows } = await sql<{
    id: string
    app_id: string
    events: string[]
    xid: string
    position_id: string
    since: string
  }>`
    select w.id, w.app_id, w.events, w.position_xid::text as xid, w.position_id,
      w.since_snapshot as since
    from webhooks w
    where w.enabled and (w.paused_until is null or w.paused_until <= ${now})
      and ${FRESH_MAX} > (
        select count(*) from webhook_deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.attempts = 0)
    order by w.id
  `.execute(db)
  return rows.map((row) => ({
    id: row.id,
    appId: row.app_id,
    events: row.events,
    position: { xid: row.xid, id: row.position_id },
    since: row.since,
  }))
}

export interface StoreMark {
  /** Another number whenever a batch of events was stored by whatever node, or is about to be. */
  readonly batches: number
  /** The number of the next transaction. */
  readonly nextXid: string
  /** Whether all transactions below the given number have ended. */
  readonly ended: boolean
}

/** Whether anything happened at all, without touching the events: they stand in a hundred partitions. */
export async function readStoreMark(db: Db, xid: string): Promise<StoreMark> {
  const { rows } = await sql<StoreMark>`
    select last_value + is_called::int as batches, pg_snapshot_xmax(pg_current_snapshot())::text as "nextXid",
      pg_snapshot_xmin(pg_current_snapshot()) >= ${xid}::xid8 as ended
    from ingest_log_id_seq
  `.execute(db)
  return rows[0] ?? { batches: 0, nextXid: '0', ended: true }
}

/**
 * Moves on from the position that was read; false when another node did so first, when the webhook
 * was switched off meanwhile, or when it is gone. Its row stays locked until the transaction ends.
 */
export async function advance(
  db: Db,
  { id, position }: WaitingWebhook,
  to: CommitPosition,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhooks set position_xid = ${to.xid}::xid8, position_id = ${to.id}
    where id = ${id} and enabled
      and position_xid = ${position.xid}::xid8 and position_id = ${position.id}
  `.execute(db)
  return numAffectedRows === 1n
}

/**
 * Transaction numbers begin anew in a database that was copied row by row. A position from before
 * would lie in the future, and its webhook would stay silent for ever.
 */
export async function mendPositions(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhooks set position_xid = pg_snapshot_xmin(pg_current_snapshot()), position_id = '',
      since_snapshot = pg_current_snapshot()::text
    where position_xid > pg_snapshot_xmax(pg_current_snapshot())
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
