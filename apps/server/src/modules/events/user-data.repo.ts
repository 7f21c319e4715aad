import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { waitForDetector } from './detections/detector-lock.repo.ts'
import { eventColumns, type EventRow } from './stored-event.ts'
import type { Position } from './search.repo.ts'

/** Removes every trace of one user: events, what detectors remember, what they have yet to see. */
export async function eraseUser(db: Db, appId: string, userId: string): Promise<number> {
  // A detector that is at work might write down again what is being erased.
  await waitForDetector(db)
  const events = await db
    .deleteFrom('events')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  await db
    .deleteFrom('detection_state')
    .where('app_id', '=', appId)
    .where((where) =>
      where.or([
        where.and([where('kind', 'in', ['travel', 'fingerprint']), where('key', '=', userId)]),
        where.and([where('kind', '=', 'auth'), where('key', '=', `user:${userId}`)]),
      ]),
    )
    .execute()
  await sql`delete from detection_inbox where app_id = ${appId} and event ->> 'userId' = ${userId}`.execute(
    db,
  )
  return Number(events.numDeletedRows)
}

/** One page of a user's events, oldest first. */
export async function userEvents(
  db: Db,
  appId: string,
  userId: string,
  after: Position | undefined,
  limit: number,
): Promise<readonly EventRow[]> {
  let select = db
    .selectFrom('events')
    .select(eventColumns)
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .orderBy('ts')
    .orderBy('id')
    .limit(limit)
  if (after !== undefined)
    select = select.where(sql<boolean>`(ts, id) > (${after.at}, ${after.id})`)
  return select.execute()
}
