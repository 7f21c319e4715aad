import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { testWorkers } from '../../testing/job-worker.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { defineJob, enqueue } from './index.ts'

let database: TestDatabase
const clock = new FakeClock(Date.UTC(2026, 9, 5, 12))
const workers = testWorkers(() => database, clock)

beforeAll(async () => {
  database = await createTestDatabase({ connections: 15 })
})
afterAll(() => database.drop())
afterEach(() => workers.stopAll())

it('runs each of a thousand jobs exactly once with two workers', async () => {
  const ids: string[] = []
  await database.db.transaction().execute(async (tx) => {
    for (let n = 0; n < 1_000; n++) ids.push(await enqueue(tx, { kind: 'n', payload: n }, clock))
  })
  const ran: string[][] = [[], []]
  const both = ran.map((own) => {
    const job = defineJob({ kind: 'n', run: async ({ id }) => void own.push(id) })
    return workers.start({ handlers: [job], concurrency: 20 })
  })
  await Promise.all(both.map((worker) => worker.idle()))
  expect(ran.flat().toSorted()).toEqual(ids.toSorted())
  expect(ran.every((own) => own.length > 0)).toBe(true)
  const { rows } = await database.pool.query(
    'select status, attempts, count(*) from jobs group by status, attempts',
  )
  expect(rows).toEqual([{ status: 'completed', attempts: 1, count: 1_000 }])
})
