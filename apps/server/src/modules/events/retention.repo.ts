import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface AppRetention {
  readonly id: string
  readonly days: number
}

export async function listRetentions(db: Db): Promise<readonly AppRetention[]> {
  const { rows } = await sql<AppRetention>`
    select id, (settings -> 'monitor' ->> 'eventRetentionDays')::int as days from apps order by id
  `.execute(db)
  return rows
}

const BATCH = 10_000

/** Deletes one batch of an app's events that are older than it keeps them; answers how many. */
export async function deleteOldEvents(db: Db, appId: string, before: Date): Promise<number> {
  // By time, not by row address: only so does the index find the rows to delete.
  const { numAffectedRows } = await sql`
    delete from events where app_id = ${appId} and ts < ${before} and ts <= coalesce((
      select ts from events where app_id = ${appId} and ts < ${before}
      order by ts limit 1 offset ${BATCH - 1}), ${before})
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** What is remembered for repeats and detections, once it is too old to be asked for. */
export async function deleteOldMemory(
  db: Db,
  ages: { clientIds: Date; answers: Date; sources: Date; states: Date; rollups: Date },
): Promise<void> {
  await db.deleteFrom('event_client_ids').where('seen_at', '<', ages.clientIds).execute()
  await db.deleteFrom('idempotency_keys').where('created_at', '<', ages.answers).execute()
  await db
    .deleteFrom('detection_state')
    .where('kind', '!=', 'baseline')
    .where('updated_at', '<', ages.states)
    .execute()
  // Counters of addresses and networks say nothing after a day, and an attacker makes many of them.
  await db
    .deleteFrom('detection_state')
    .where('kind', '=', 'auth')
    .where('key', 'not like', 'user:%')
    .where('updated_at', '<', ages.sources)
    .execute()
  await db.deleteFrom('rollup_hour').where('hour', '<', ages.rollups).execute()
  await db.deleteFrom('rollup_day').where('day', '<', ages.rollups).execute()
}
