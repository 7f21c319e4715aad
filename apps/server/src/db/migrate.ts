import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

const HERE = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Any fixed number: two servers that start together must ask for the same lock. */
const LOCK = 7_262_001
/** CREATE INDEX CONCURRENTLY and its kin cannot run inside a transaction. */
const NO_TRANSACTION = /^-- no-transaction\b/m

export async function readMigrations(folder = HERE): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
  migrations.forEach((migration, index) => {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(migration.name)?.[1])
    if (number !== index + 1) {
      throw new Error(
        `${migration.name} must be called ${String(index + 1).padStart(4, '0')}-….sql`,
      )
    }
  })
  return migrations
}

/**
 * Brings the database to the newest schema and answers what was applied. A file that was changed
 * after it ran, or a database that is newer than this program, is refused: both mean that nobody
 * knows what the schema is.
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[],
  options: { dryRun?: boolean } = {},
): Promise<readonly string[]> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    try {
      const pending = await pendingMigrations(client, migrations)
      if (options.dryRun === true) return pending.map((migration) => migration.name)
      await client.query(`create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
      for (const migration of pending) await apply(client, migration)
      return pending.map((migration) => migration.name)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK])
    }
  } finally {
    client.release()
  }
}

async function pendingMigrations(
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows: known } = await client.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (known[0]?.exists !== true) return migrations
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  for (const row of rows) {
    const known = migrations.find((migration) => migration.name === row.name)
    if (known === undefined) {
      throw new Error(
        `The database has the migration ${row.name}, which this version does not know. Start the newer version.`,
      )
    }
    if (known.checksum !== row.checksum) {
      throw new Error(
        `The migration ${row.name} was changed after it ran. Undo the change and add a new migration.`,
      )
    }
  }
  const applied = new Set(rows.map((row) => row.name))
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const remember = 'insert into schema_migrations (name, checksum) values ($1, $2)'
  const values = [migration.name, migration.checksum]
  if (NO_TRANSACTION.test(migration.sql)) {
    await client.query(migration.sql)
    await client.query(remember, values)
    return
  }
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query(remember, values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The migration ${migration.name} failed and was rolled back.`, { cause: error })
  }
}

/** What the database still lacks before work can be done; empty when all is there. */
export async function unreadyParts(pool: pg.Pool): Promise<readonly string[]> {
  try {
    const { rows } = await pool.query<{ migrations: string; jobs: string | null }>(
      "select (select count(*) from schema_migrations) as migrations, to_regclass('jobs') as jobs",
    )
    const [row] = rows
    if (Number(row?.migrations ?? 0) === 0) return ['the database is not migrated']
    return row?.jobs === null ? ['the job queue is missing'] : []
  } catch {
    return ['the database does not answer']
  }
}
