import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'
import { deleteBulkBatch } from './delete-app-data.repo.ts'

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
}

/** The schema itself is looked at: what a new migration adds is in these tests without a word. */
describe('the tables of an app', () => {
  // No background work: a detector would take what is planted in its inbox.
  const { call, newAccount, newApp, clock, db } = harness({ MERLON_ROLE: 'api' })

  it('are all reached through a column called app_id', async () => {
    const { rows } = await sql<Column>`
      select c.conrelid::regclass::text as "table", a.attname as "column", '' as type
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.confrelid = 'apps'::regclass
    `.execute(db())
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ column }) => column !== 'app_id')).toEqual([])
  })

  it('call nothing else app_id than the id of an app', async () => {
    const { rows } = await sql<Column>`
      select table_name as "table", column_name as "column", data_type as type
      from information_schema.columns
      where table_schema = current_schema() and column_name ~ '^app_?id$'
    `.execute(db())
    expect(rows.filter(({ column, type }) => column !== 'app_id' || type !== 'text')).toEqual([])
  })

  it('have no foreign key to apps when a job empties them', async () => {
    const { rows } = await sql<{ table: string }>`
      select conrelid::regclass::text as "table" from pg_constraint
      where contype = 'f' and confrelid = 'apps'::regclass
        and obj_description(conrelid, 'pg_class') like '%merlon:bulk%'
    `.execute(db())
    expect(rows).toEqual([])
  })

  it('are all empty of a deleted app, whatever stood in them', async () => {
    const { key } = await newAccount()
    const [doomed, kept] = [await newApp(key), await newApp(key)]
    const tables = await appTables()
    await loosen()
    for (const table of tables) await plant(table, doomed.id, kept.id)
    expect(await tablesWith(tables, doomed.id)).toEqual(tables)
    expect((await call('DELETE', `/api/apps/${doomed.id}`, { as: key })).status).toBe(200)
    while (await deleteBulkBatch(db(), doomed.id));
    expect(await tablesWith(tables, doomed.id)).toEqual([])
    expect(await tablesWith(tables, kept.id)).toEqual(tables)
  })

  async function appTables(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and a.attname = 'app_id' and not a.attisdropped
      order by 1
    `.execute(db())
    return rows.map(({ name }) => name)
  }

  async function tablesWith(tables: readonly string[], appId: string): Promise<string[]> {
    const found: string[] = []
    for (const table of tables) {
      const { rows } = await sql`
        select 1 from ${sql.table(table)} where app_id = ${appId} limit 1`.execute(db())
      if (rows.length > 0) found.push(table)
    }
    return found
  }

  /** Only deletion is tested here: what checks would refuse must fit in, and into some partition. */
  async function loosen(): Promise<void> {
    const { rows } = await sql<{ statement: string }>`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
      from pg_constraint
      where contype = 'c' and connamespace = current_schema()::regnamespace and conislocal
        and coninhcount = 0
      union all
      select format('create table %I partition of %s default', relname || '_rest', oid::regclass)
      from pg_class join pg_partitioned_table on partrelid = oid
      where relnamespace = current_schema()::regnamespace and partdefid = 0 and partstrat <> 'h'
    `.execute(db())
    for (const { statement } of rows) await sql.raw(statement).execute(db())
  }

  /** A row for each app, with a plain value in every column that must have one and no default. */
  async function plant(table: string, ...appIds: readonly string[]): Promise<void> {
    const { rows } = await sql<Column>`
      select '' as "table", column_name as "column", udt_name as type
      from information_schema.columns
      where table_schema = current_schema() and table_name = ${table} and column_name <> 'app_id'
        and is_nullable = 'NO' and column_default is null and is_identity = 'NO'
        and is_generated = 'NEVER'
      order by ordinal_position
    `.execute(db())
    for (const appId of appIds) {
      const values = rows.map(({ type, column }) => plainValue(type, `${column} of ${appId}`))
      const names = ['app_id', ...rows.map(({ column }) => column)].map((name) => sql.ref(name))
      await db()
        .connection()
        .execute(async (session) => {
          // Keys between tables would need real rows in all of them.
          await sql`set session_replication_role = replica`.execute(session)
          try {
            await sql`
              insert into ${sql.table(table)} (${sql.join(names)})
              values (${sql.join([appId, ...values])})
            `.execute(session)
          } finally {
            await sql`set session_replication_role = origin`.execute(session)
          }
        })
    }
  }

  function plainValue(type: string, text: string): unknown {
    if (/^(int|float|numeric|xid|oid)/.test(type)) return 1
    if (/^(timestamp|date)/.test(type)) return new Date(clock.now())
    if (type === 'bool') return true
    if (type === 'bytea') return Buffer.from(text)
    if (type.startsWith('json')) return '{}'
    if (type === 'inet' || type === 'cidr') return '192.0.2.1'
    if (type.startsWith('_')) return []
    return text
  }
})
