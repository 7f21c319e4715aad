import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { testWorkers } from '../../testing/job-worker.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { defineJob, defineSchedule, findJob } from './index.ts'
import { createScheduler } from './schedule.ts'

let database: TestDatabase
let clock: FakeClock
const workers = testWorkers(() => database, { now: () => clock.now() })
const hourly = defineSchedule({ name: 'hourly', every: { minutes: 60 }, kind: 'tick', payload: 7 })

beforeAll(async () => {
  database = await createTestDatabase({ connections: 15 })
})
afterAll(() => database.drop())
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 9, 5, 12, 30))
  await database.pool.query('delete from jobs; delete from job_schedules')
})
afterEach(() => workers.stopAll())

const scheduler = () => createScheduler({ db: database.db, schedules: [hourly], clock })

async function ticks(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ unique_key: string }>(
    `select unique_key from jobs where kind = 'tick' order by unique_key`,
  )
  return rows.map((row) => row.unique_key)
}

describe('a schedule', () => {
  it('begins with its next tick, not with the one before it was first seen', async () => {
    await scheduler().tick()
    expect(await ticks()).toEqual([])
  })

  it('enqueues a tick when its time has come, once, with its payload', async () => {
    const node = scheduler()
    await node.tick()
    clock.advance({ minutes: 30 })
    await node.tick()
    clock.advance({ minutes: 1 })
    await node.tick()
    expect(await ticks()).toEqual(['hourly@2026-10-05T13:00:00.000Z'])
    const { rows } = await database.pool.query<{ id: string }>('select id from jobs')
    expect((await findJob(database.db, rows[0]?.id ?? ''))?.payload).toBe(7)
  })

  it('makes one job of the ticks that were missed while no node was up', async () => {
    await scheduler().tick()
    clock.advance({ hours: 6 })
    await scheduler().tick()
    expect(await ticks()).toEqual(['hourly@2026-10-05T18:00:00.000Z'])
  })

  it('enqueues each tick once when ten nodes see it at the same moment', async () => {
    const nodes = Array.from({ length: 10 }, scheduler)
    for (let hour = 0; hour < 3; hour++) {
      await Promise.all(nodes.map((node) => node.tick()))
      clock.advance({ hours: 1 })
    }
    expect(await ticks()).toEqual([
      'hourly@2026-10-05T13:00:00.000Z',
      'hourly@2026-10-05T14:00:00.000Z',
    ])
  })

  it('is run once per tick by two workers', async () => {
    let runs = 0
    const job = defineJob({ kind: 'tick', run: async () => void runs++ })
    const both = [1, 2].map(() =>
      workers.start({ handlers: [job], schedules: [hourly], leaseMs: 200 }),
    )
    for (let hour = 0; hour < 3; hour++) {
      // Longer than a sweep, so that both workers have looked at their schedules.
      await new Promise((resolve) => setTimeout(resolve, 100))
      await Promise.all(both.map((worker) => worker.idle()))
      clock.advance({ hours: 1 })
    }
    expect(runs).toBe(2)
  })

  it.each([0, -5, 1.5])('refuses to run every %d minutes', (minutes) => {
    expect(() => defineSchedule({ name: 'x', every: { minutes }, kind: 'tick' })).toThrow('x')
  })
})

describe('finished jobs', () => {
  it('are deleted after seven days by the built-in schedule', async () => {
    await database.pool.query(
      `insert into jobs (id, kind, payload, status, run_at, created_at, finished_at)
       select 'job_' || days, 'old', '{}', 'completed', at, at, at
       from (select days, $1::timestamptz - days * interval '1 day' as at
             from generate_series(1, 10) days) ages`,
      [new Date(clock.now())],
    )
    const worker = workers.start({ handlers: [], leaseMs: 200 })
    await worker.idle()
    clock.advance({ hours: 1 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await worker.idle()
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*) from jobs where kind = 'old'`,
    )
    expect(rows).toEqual([{ count: 6 }])
  })
})
