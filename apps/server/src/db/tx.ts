import type { Db, Tx } from './database.ts'

/** Runs `work` in a transaction; inside one already, it joins that one. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx)
  return db.transaction().execute(work)
}
