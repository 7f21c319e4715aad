import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import { openDatabase } from '../apps/server/src/db/database.ts'
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
      return await introspect(server.connection)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function introspect(connection: EmbeddedConnection): Promise<string> {
  const database = openDatabase(connection, { connections: 2, onError: () => undefined })
  try {
    await migrate(database.pool, await readMigrations())
    // The server reads bigint columns as numbers, see database.ts.
    const typeMapping = { int8: 'number' }
    const dialect = new PostgresDialect()
    // The generator brings a kysely of its own, whose type differs in private parts only.
    const text = await generate({ db: database.db as never, dialect, typeMapping, outFile: null })
    return text.replace(/\n*$/, '\n')
  } finally {
    await database.close()
  }
}
