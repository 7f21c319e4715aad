import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './tables.ts'

/** The pool or a transaction: what a repository function takes first. */
export type Db = Kysely<DB>
export type Tx = Transaction<DB>

export interface Database {
  readonly db: Db
  /** For what a query builder cannot say: COPY, LISTEN. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

// bigint columns hold counters and GitHub ids, all far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export function openDatabase(
  connection: pg.PoolConfig,
  options: { connections: number; onError: (error: Error) => void },
): Database {
  const pool = new pg.Pool({
    ...connection,
    max: options.connections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: 'merlon',
  })
  // An idle connection that the server closes must not end the process.
  pool.on('error', options.onError)
  // Nor one that is lent out: its borrower learns of it by the query that fails.
  pool.on('connect', (client) => client.on('error', options.onError))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  let closed: Promise<void> | undefined
  return { db, pool, close: () => (closed ??= closeAll(db, pool)) }
}

/** A query builder that was never used does not know its pool, so the pool is ended in any case. */
async function closeAll(db: Db, pool: pg.Pool): Promise<void> {
  await db.destroy()
  if (!pool.ended) await pool.end()
}
