import type pg from 'pg'
import type { JobLog } from './job.ts'

/**
 * A pool stops listening to a connection while it is lent out, and an error that nobody listens to
 * ends the process. The statement under way fails anyway, and that is all that should happen.
 * Answers how to take the listeners away again.
 */
export function surviveLostConnections(pool: pg.Pool, log: JobLog): () => void {
  const guarded = new Set<pg.PoolClient>()
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const onAcquire = (client: pg.PoolClient) => {
    if (guarded.has(client)) return
    guarded.add(client)
    client.on('error', onError)
  }
  const onRemove = (client: pg.PoolClient) => guarded.delete(client)
  pool.on('acquire', onAcquire)
  pool.on('remove', onRemove)
  return () => {
    pool.off('acquire', onAcquire)
    pool.off('remove', onRemove)
    for (const client of guarded) client.off('error', onError)
  }
}
