import type pg from 'pg'
import { eventColumns, type EventRow } from './stored-event.ts'

/**
 * A place in the order in which events became visible. Ids alone would not do: a writer that
 * started earlier may commit later, and whoever went on behind the newest id would miss its rows.
 * Below the horizon no transaction is left running, so nothing can appear there any more.
 */
export interface CommitPosition {
  readonly xid: string
  readonly id: string
}

export interface SequencedRow extends EventRow {
  readonly xid: string
}

/** The events of one app behind a position and below the horizon, in order. */
export async function readSince(
  pool: pg.Pool,
  appId: string,
  after: CommitPosition,
  limit: number,
): Promise<readonly SequencedRow[]> {
  const { rows } = await pool.query<SequencedRow>({
    name: 'events-since',
    text: `select ${eventColumns.join(', ')}, xid::text as xid from events
      where app_id = $1 and xid >= $2::xid8 and (xid, id) > ($2::xid8, $3)
        and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by events.xid, id limit $4`,
    values: [appId, after.xid, after.id, limit],
  })
  return rows
}

/** The position behind everything that can be read now. */
export async function currentPosition(pool: pg.Pool): Promise<CommitPosition> {
  const { rows } = await pool.query<{ xid: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xid',
  )
  // Every id sorts behind the empty one, and rows of this very transaction id are yet to come.
  return { xid: rows[0]?.xid ?? '0', id: '' }
}

export function positionOf(row: SequencedRow): CommitPosition {
  return { xid: row.xid, id: row.id }
}

export function comparePositions(a: CommitPosition, b: CommitPosition): number {
  const [x, y] = [BigInt(a.xid), BigInt(b.xid)]
  if (x !== y) return x < y ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

/** `xid.id`, as clients carry it. */
export function formatPosition(position: CommitPosition): string {
  return `${position.xid}.${position.id}`
}

export function parsePosition(text: string): CommitPosition | undefined {
  const match = /^(\d{1,19})\.(evt_[0-9A-HJKMNP-TV-Z]{26})?$/.exec(text)
  return match === null ? undefined : { xid: match[1] ?? '0', id: match[2] ?? '' }
}

/** Whether a position names an event that this database took in within the time it keeps its word for. */
export async function isResumable(
  pool: pg.Pool,
  appId: string,
  position: CommitPosition,
  since: Date,
): Promise<boolean> {
  const { rows } = await pool.query<{ ok: boolean }>({
    text: `select exists (
        select 1 from events where app_id = $1 and xid = $2::xid8 and id = $3 and received_at >= $4) as ok`,
    values: [appId, position.xid, position.id, since],
  })
  return rows[0]?.ok === true
}
