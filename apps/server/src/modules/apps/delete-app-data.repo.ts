import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A table whose comment says so is emptied by a background job, in batches: it may hold millions of rows. */
const BULK_MARK = 'merlon:bulk'

interface AppTable {
  readonly name: string
  readonly bulk: boolean
}

/**
 * Every table that has a column app_id, read from the catalogue. A table that is added later is in
 * this list by its column alone, so nobody can forget to delete from it.
 */
async function appTables(db: Db): Promise<readonly AppTable[]> {
  const { rows } = await sql<AppTable>`
    select c.relname as name, coalesce(obj_description(c.oid, 'pg_class') like ${`%${BULK_MARK}%`}, false) as bulk
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'app_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname
  `.execute(db)
  return rows
}

/**
 * Removes the app and its rows in all but the bulk tables; answers whether a job must finish the
 * rest, or undefined when somebody else deleted the app first.
 */
export async function deleteAppAndData(
  db: Db,
  appId: string,
): Promise<{ bulkLeft: boolean } | undefined> {
  // The row is locked first, so that changes which are under way end before their rows are deleted.
  const app = await db
    .selectFrom('apps')
    .select('id')
    .where('id', '=', appId)
    .forUpdate()
    .executeTakeFirst()
  if (app === undefined) return undefined
  const tables = await appTables(db)
  await deleteFromSmall(db, tables, appId)
  await db.deleteFrom('apps').where('id', '=', appId).execute()
  return { bulkLeft: tables.some((table) => table.bulk) }
}

async function deleteFromSmall(db: Db, tables: readonly AppTable[], appId: string): Promise<void> {
  for (const { name, bulk } of tables) {
    if (!bulk) await sql`delete from ${sql.table(name)} where app_id = ${appId}`.execute(db)
  }
}

/** Once more, for what a request that was under way wrote after the app was gone. */
export async function deleteStragglers(db: Db, appId: string): Promise<void> {
  await deleteFromSmall(db, await appTables(db), appId)
}

const BATCH = 20_000

/**
 * Deletes one batch from one part of one bulk table; answers false when nothing is left in any. It
 * goes part by part: only inside one part can rows be found by where they lie.
 */
export async function deleteBulkBatch(db: Db, appId: string): Promise<boolean> {
  for (const table of await bulkParts(db)) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where app_id = ${appId} limit ${BATCH}))
    `.execute(db)
    if ((numAffectedRows ?? 0n) > 0n) return true
  }
  return false
}

/** The partitions of a table that has them, the table itself otherwise. */
async function bulkParts(db: Db): Promise<readonly string[]> {
  const bulk = (await appTables(db)).filter((table) => table.bulk).map((table) => table.name)
  const { rows } = await sql<{ name: string }>`
    select coalesce(part.relname, bulk.name) as name from unnest(${bulk}::text[]) as bulk (name)
    left join lateral (
      select c.relname from pg_partition_tree(bulk.name::regclass) join pg_class c on c.oid = relid
      where isleaf
    ) part on true order by 1
  `.execute(db)
  return rows.map((row) => row.name)
}
