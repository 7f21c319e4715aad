import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Deletes in bites, so that no lock is held for long. Answers how many went. */
export async function deleteOldDeliveries(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id = any (array(
      select id from webhook_deliveries where created_at < ${before}
      order by created_at limit ${rowsMax} for update skip locked))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function deleteDeliveriesOf(
  db: Db,
  webhookId: string,
  rowsMax: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id = any (array(
      select id from webhook_deliveries where webhook_id = ${webhookId} limit ${rowsMax}))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
