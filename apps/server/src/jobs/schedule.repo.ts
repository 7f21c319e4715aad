import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Remembers a schedule seen for the first time; false when it was known. */
export async function insertSchedule(db: Db, name: string, tick: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into job_schedules (name, last_tick) values (${name}, ${tick})
    on conflict (name) do nothing
  `.execute(db)
  return numAffectedRows === 1n
}

/** True for one caller among all nodes: the row stays locked until that caller's commit. */
export async function claimTick(db: Db, name: string, tick: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update job_schedules set last_tick = ${tick} where name = ${name} and last_tick < ${tick}
  `.execute(db)
  return numAffectedRows === 1n
}
