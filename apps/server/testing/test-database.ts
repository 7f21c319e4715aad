import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Db } from '../src/db/database.ts'
import { migrate, readMigrations, type Migration } from '../src/db/migrate.ts'
import type { TestPostgres } from './postgres.global.ts'

export interface TestDatabase {
  readonly db: Db
  readonly pool: pg.Pool
  readonly connection: TestPostgres
  drop(): Promise<void>
}

/** Any fixed number: the test files that start together must ask for the same lock. */
const LOCK = 7_262_002

/** A database of its own for one test file, copied from one that was migrated once. */
export async function createTestDatabase(
  options: { readonly connections?: number } = {},
): Promise<TestDatabase> {
  const postgres = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await withAdmin(postgres, async (admin) => {
    // PostgreSQL copies no database that another session is using, so copies are made in turn.
    await admin.query('select pg_advisory_lock($1)', [LOCK])
    const template = await ensureTemplate(admin, postgres)
    await admin.query(`create database ${name} template ${template}`)
  })
  const connection = { ...postgres, database: name }
  const database = openDatabase(connection, {
    connections: options.connections ?? 10,
    onError: () => undefined,
  })
  return {
    db: database.db,
    pool: database.pool,
    connection,
    async drop() {
      await database.close()
      await withAdmin(postgres, async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`)
      })
    },
  }
}

async function ensureTemplate(admin: pg.Client, postgres: TestPostgres): Promise<string> {
  const migrations = await readMigrations()
  const template = `template_${fingerprint(migrations)}`
  const known = await admin.query('select 1 from pg_database where datname = $1', [template])
  if (known.rowCount === 1) return template
  const unfinished = `${template}_new`
  await admin.query(`drop database if exists ${unfinished} with (force)`)
  await admin.query(`create database ${unfinished}`)
  const pool = new pg.Pool({ ...postgres, database: unfinished, max: 1 })
  try {
    await migrate(pool, migrations)
  } finally {
    await pool.end()
  }
  // The name stands for a complete schema, also when a run is cut short in between.
  await admin.query(`alter database ${unfinished} rename to ${template}`)
  return template
}

function fingerprint(migrations: readonly Migration[]): string {
  const all = migrations.map((migration) => migration.checksum).join()
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}

/** The lock of a session goes with the session. */
async function withAdmin(
  postgres: TestPostgres,
  work: (admin: pg.Client) => Promise<void>,
): Promise<void> {
  const admin = new pg.Client({ ...postgres })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}
