import { openDatabase } from '../src/db/database.ts'
import { defineJob, startWorker } from '../src/jobs/index.ts'
import type { TestPostgres } from './postgres.global.ts'
import { silentLog } from './job-worker.ts'

/** A worker process of its own that counts for a minute, for the test that kills it. */
const connection = JSON.parse(process.argv[2] ?? '{}') as TestPostgres
const { db, pool } = openDatabase(connection, { connections: 3, onError: () => undefined })

const count = defineJob<unknown, number>({
  kind: 'count',
  async run({ checkpoint, saveCheckpoint }) {
    for (let step = (checkpoint ?? 0) + 1; step <= 1_200; step++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      await saveCheckpoint(step)
      process.stdout.write(`${step}\n`)
    }
  },
})

startWorker({
  db,
  pool,
  handlers: [count],
  clock: { now: () => Date.now() },
  log: silentLog,
  concurrency: 1,
  leaseMs: 1_000,
  heartbeatMs: 300,
  pollMs: 100,
})
