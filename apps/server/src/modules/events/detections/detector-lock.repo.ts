import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** Any fixed number: of all nodes one detector works at a time, so that events are seen in order. */
export const DETECTOR_LOCK = 7_262_003

/** Until no detector is at work; none begins before the end of the transaction. */
export async function waitForDetector(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DETECTOR_LOCK})`.execute(tx)
}
