import type pg from 'pg'
import type { Db, Tx } from './database.ts'

/** Runs `work` in a transaction; inside one already, it joins that one. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  return db.transaction().execute(work)
}

/** The same on a bare connection, for what a query builder cannot say, such as COPY. */
export async function inClientTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back is not given to anybody else.
    await client.query('rollback').catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    client.release(broken)
  }
}

const ATTEMPTS_MAX = 5
/** serialization_failure and deadlock_detected: PostgreSQL undid this transaction to let another one go on. */
const GIVEN_UP = new Set(['40001', '40P01'])

/** Like inTransaction, and again when another transaction got the right of way: `work` may run several times. */
export async function inTransactionWithRetry<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(db, work)
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !wasGivenUp(error)) throw error
    }
  }
}

function wasGivenUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GIVEN_UP.has(String(error.code))
}
