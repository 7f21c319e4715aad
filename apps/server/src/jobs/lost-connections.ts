import type pg from 'pg'
import type { JobLog } from './job.ts'

const guardedPools = new WeakSet<pg.Pool>()

/**
 * A pool stops listening to a connection while it is lent out, and an error that nobody listens to
 * ends the process. The statement under way fails anyway, and that is all that should happen. This
 * lasts as long as the pool: a statement can hang on a dead connection after its worker has stopped.
 */
export function surviveLostConnections(pool: pg.Pool, log: JobLog): void {
  if (guardedPools.has(pool)) return
  guardedPools.add(pool)
  const guarded = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (guarded.has(client)) return
    guarded.add(client)
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  })
}
