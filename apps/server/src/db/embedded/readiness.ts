import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedConnection } from './connection-file.ts'
import { readPostmasterFile } from './postmaster.ts'
import type { SupervisedPostgres } from './supervised-postgres.ts'

const POLL_MS = 10
const REPORT_EVERY_MS = 5_000
/** Recovery of a large log takes its time; only a server that hangs is given up. */
const LIMIT_MS = 30 * 60_000

/** Waits through crash recovery until PostgreSQL takes connections; returns its process number. */
export async function waitUntilReady(
  server: SupervisedPostgres,
  cluster: string,
  log: (line: string) => void,
): Promise<number> {
  let reportedMs = 0
  const startedAt = performance.now()
  for (;;) {
    if (server.hasExited()) throw startFailure(cluster, server.lastLines())
    const found = await readPostmasterFile(cluster)
    if (found?.status === 'ready') return found.pid
    const waitedMs = performance.now() - startedAt
    if (waitedMs > LIMIT_MS) throw startFailure(cluster, server.lastLines())
    if (waitedMs - reportedMs > REPORT_EVERY_MS) {
      reportedMs = waitedMs
      log('PostgreSQL is still starting, recovering what the last run left unfinished.')
    }
    await delay(POLL_MS)
  }
}

function startFailure(cluster: string, lines: readonly string[]): Error {
  const reason = lines.length === 0 ? 'It gave no reason.' : `It said: ${lines.join(' | ')}`
  return new Error(`The embedded PostgreSQL in ${cluster} did not start. ${reason}`)
}

/** Proves the connection, and makes the database where this is its first start. */
export async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    const sql = 'select from pg_database where datname = $1'
    const { rowCount } = await client.query(sql, [connection.database])
    if (rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
    }
  })
}

export async function withClient<T>(
  connection: EmbeddedConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection })
  // A connection lost between two queries is told by the next query; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
