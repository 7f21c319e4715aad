import { resolve } from 'node:path'
import { readMigrations, migrate } from '../apps/server/src/db/migrate.ts'
import { openDatabase, type Database } from '../apps/server/src/db/database.ts'
import { defineJob, enqueue, startWorker, type JobLog } from '../apps/server/src/jobs/index.ts'
import startPostgres, { type TestPostgres } from '../apps/server/testing/postgres.global.ts'
import { compare } from './compare.ts'
import { defineBench } from './define.ts'

const clock = { now: () => Date.now() }
const CONCURRENCY = 50
/** A bundled bench lies elsewhere than its source; npm runs it from the top of the repository. */
const MIGRATIONS = resolve('apps/server/src/db/migrations')
const silent = () => undefined
const log: JobLog = { debug: silent, info: silent, warn: silent, error: silent }

/** Jobs through the whole queue, against the least that a queue on PostgreSQL can do. */
export default defineBench({
  name: 'jobs',
  summary: 'jobs/s through the queue against bare insert + delete returning skip locked',
  async run({ quick }) {
    let postgres: TestPostgres | undefined
    const stop = await startPostgres({ provide: (_key, value) => void (postgres = value) })
    if (postgres === undefined) throw new Error('There is no PostgreSQL to measure with.')
    const database = openDatabase(postgres, { connections: 10, onError: silent })
    try {
      await migrate(database.pool, await readMigrations(MIGRATIONS))
      await database.pool.query('create table bare_jobs (id bigserial primary key, payload jsonb)')
      const count = quick ? 200 : 3_000
      const rounds = quick ? 3 : 7
      const drained = await compare({
        own: () => drainQueue(database, count),
        peer: () => drainBare(database, count),
        rounds,
      })
      return [{ what: 'enqueue and drain', unit: 'jobs/s', ...drained }]
    } finally {
      await database.close()
      await stop()
    }
  },
})

async function drainQueue(database: Database, count: number): Promise<number> {
  const { db, pool } = database
  let ran = 0
  const job = defineJob({ kind: 'bench', run: async () => void ran++ })
  const worker = startWorker({ db, pool, handlers: [job], clock, log, concurrency: CONCURRENCY })
  const started = performance.now()
  await inParallel(count, () => enqueue(db, { kind: 'bench', payload: { n: 1 } }, clock))
  await worker.idle()
  const perSecond = (ran / (performance.now() - started)) * 1_000
  await worker.stop({ timeoutMs: 1_000 })
  if (ran !== count) throw new Error(`${ran} of ${count} jobs ran.`)
  return perSecond
}

async function drainBare({ pool }: Database, count: number): Promise<number> {
  const started = performance.now()
  await inParallel(count, () =>
    pool.query('insert into bare_jobs (payload) values ($1)', ['{"n":1}']),
  )
  let ran = 0
  for (let batch = 1; batch > 0; ran += batch) {
    const { rowCount } = await pool.query(
      `delete from bare_jobs where id = any (array(
         select id from bare_jobs order by id limit ${CONCURRENCY} for update skip locked))
       returning id, payload`,
    )
    batch = rowCount ?? 0
  }
  if (ran !== count) throw new Error(`${ran} of ${count} jobs ran.`)
  return (ran / (performance.now() - started)) * 1_000
}

async function inParallel(count: number, act: () => Promise<unknown>): Promise<void> {
  let left = count
  const lane = async () => {
    while (left-- > 0) await act()
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}
