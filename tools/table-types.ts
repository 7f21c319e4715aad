import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import pg from 'pg'
import {
  startEmbeddedPostgres,
  type EmbeddedConnection,
} from '../apps/server/src/db/embedded/index.ts'
import { migrate, readMigrations } from '../apps/server/src/db/migrate.ts'

export const tableTypesFile = 'apps/server/src/db/tables.ts'

/**
 * Describes in TypeScript the tables that the migrations make. The database for it lives only as
 * long as this takes, so nothing that a developer has lying around can leak into the types.
 */
export async function describeTables(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'merlon-tables-'))
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
    try {
      await migrateAll(server.connection)
      return await introspect(server.connection)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function migrateAll(connection: EmbeddedConnection): Promise<void> {
  const pool = new pg.Pool(connection)
  try {
    await migrate(pool, await readMigrations())
  } finally {
    await pool.end()
  }
}

async function introspect(connection: EmbeddedConnection): Promise<string> {
  const dialect = new PostgresDialect()
  const { user, password, host, port, database } = connection
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  const where = `${encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`
  const db = await dialect.introspector.connect({
    connectionString: `postgres://${login}@${where}`,
    dialect,
  })
  try {
    // The server reads bigint columns as numbers, see database.ts.
    const typeMapping = { int8: 'number' }
    const text = await generate({ db, dialect, typeMapping, outFile: null })
    return text.replace(/\n*$/, '\n')
  } finally {
    await db.destroy()
  }
}
