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

/** The webhooks behind whose position there is something to read, all apps in one question. */
export async function listWaiting(db: Db, now: Date): Promise<readonly WaitingWebhook[]> {
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
    cross join lateral (
      select 1 from events e
      where e.app_id = w.app_id and e.xid >= w.position_xid
        and (e.xid, e.id) > (w.position_xid, w.position_id)
        and e.xid < pg_snapshot_xmin(pg_current_snapshot())
      limit 1
    ) news
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

/** The number below which every transaction of now is counted. */
export async function nextXid(db: Db): Promise<string> {
  const { rows } = await sql<{ xid: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db)
  return rows[0]?.xid ?? '0'
}

/** Whether all transactions below that number have ended, so that what they wrote can be read. */
export async function haveEnded(db: Db, xid: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${xid}::xid8 as ended`.execute(db)
  return rows[0]?.ended === true
}
