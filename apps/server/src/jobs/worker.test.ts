import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createGate, testWorkers, untilAborted } from '../../testing/job-worker.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import {
  defineJob,
  enqueue,
  findJob,
  JobAborted,
  PermanentJobError,
  requestCancel,
  type Job,
} from './index.ts'

let database: TestDatabase
const clock = new FakeClock(Date.UTC(2026, 9, 5, 12))
const workers = testWorkers(() => database, clock)

beforeAll(async () => {
  database = await createTestDatabase({ connections: 15 })
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('delete from jobs')
})
afterEach(() => workers.stopAll())

function add(payload: unknown, more: { priority?: number; attemptsMax?: number } = {}) {
  return enqueue(database.db, { kind: 'test', payload, ...more }, clock)
}

async function look(id: string): Promise<Job> {
  const job = await findJob(database.db, id)
  if (job === undefined) throw new Error(`${id} is gone`)
  return job
}

async function untilListening(): Promise<void> {
  await vi.waitFor(async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity
       where query = 'listen merlon_jobs' and state = 'idle' and datname = current_database()`,
    )
    expect(rowCount).toBe(1)
  })
}

describe('a job', () => {
  it('keeps what its handler returned', async () => {
    const echo = defineJob({ kind: 'test', run: async ({ payload }) => ({ got: payload }) })
    const id = await add({ n: 1 })
    await workers.start({ handlers: [echo] }).idle()
    expect(await look(id)).toMatchObject({
      status: 'completed',
      result: { got: { n: 1 } },
      attempts: 1,
      finishedAt: new Date(clock.now()),
    })
  })

  it('runs before those of lower priority and after older ones of its own', async () => {
    const order: unknown[] = []
    const note = defineJob({ kind: 'test', run: async ({ payload }) => order.push(payload) })
    await add('low', { priority: -1 })
    await add('first')
    clock.advance({ ms: 1 })
    await add('second')
    await add('high', { priority: 5 })
    await workers.start({ handlers: [note], concurrency: 1 }).idle()
    expect(order).toEqual(['high', 'first', 'second', 'low'])
  })

  it('waits until its time has come', async () => {
    const note = defineJob({ kind: 'test', run: async () => undefined })
    const runAt = new Date(clock.now() + 60_000)
    const id = await enqueue(database.db, { kind: 'test', payload: {}, runAt }, clock)
    const worker = workers.start({ handlers: [note] })
    await worker.idle()
    expect((await look(id)).status).toBe('queued')
    clock.advance({ minutes: 1 })
    await worker.idle()
    expect((await look(id)).status).toBe('completed')
  })

  it('of a kind that no handler knows is left for another worker', async () => {
    const id = await enqueue(database.db, { kind: 'other', payload: {} }, clock)
    await workers.start({ handlers: [] }).idle()
    expect((await look(id)).status).toBe('queued')
  })

  it('starts at once through the hint, however rarely the worker polls', async () => {
    const quick = defineJob({ kind: 'test', run: async () => undefined })
    const worker = workers.start({ handlers: [quick], pollMs: 30_000 })
    await worker.idle()
    await untilListening()
    const id = await add({})
    await vi.waitFor(async () => expect((await look(id)).status).toBe('completed'), 2_000)
  })

  it('shows the newest progress that its handler told', async () => {
    const told = createGate()
    const job = defineJob({
      kind: 'test',
      async run({ progress, signal }) {
        for (let percent = 0; percent <= 100; percent++) progress({ percent })
        told.open()
        await untilAborted(signal)
      },
    })
    const id = await add({})
    workers.start({ handlers: [job] })
    await told.opened
    await vi.waitFor(async () => expect((await look(id)).progress).toEqual({ percent: 100 }))
  })
})

describe('a job that fails', () => {
  const failing = defineJob({
    kind: 'test',
    attemptsMax: 3,
    run: async () => {
      throw new Error('no luck')
    },
  })

  it('is tried again after one second, then after two, and then has failed', async () => {
    const id = await add({})
    const worker = workers.start({ handlers: [failing], random: () => 0 })
    await worker.idle()
    const waits: number[] = []
    for (let retry = 0; retry < 2; retry++) {
      const { runAt, status } = await look(id)
      expect(status).toBe('queued')
      waits.push(runAt.getTime() - clock.now())
      clock.advance({ ms: runAt.getTime() - clock.now() })
      await worker.idle()
    }
    expect(waits).toEqual([1_000, 2_000])
    expect(await look(id)).toMatchObject({
      status: 'failed',
      attempts: 3,
      error: 'Error: no luck',
    })
  })

  it('is not tried again after a PermanentJobError', async () => {
    const hopeless = defineJob({
      kind: 'test',
      run: async () => {
        throw new PermanentJobError('the repository is gone')
      },
    })
    const id = await add({})
    await workers.start({ handlers: [hopeless] }).idle()
    expect(await look(id)).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('uses the number of attempts of its request rather than of its definition', async () => {
    const id = await add({}, { attemptsMax: 1 })
    await workers.start({ handlers: [failing] }).idle()
    expect(await look(id)).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('keeps an error text of bounded length', async () => {
    const wordy = defineJob({
      kind: 'test',
      run: async () => {
        throw new PermanentJobError('x\0'.repeat(100_000))
      },
    })
    const id = await add({})
    await workers.start({ handlers: [wordy] }).idle()
    expect((await look(id)).error?.length).toBe(2_000)
  })

  it('fails when its result is no JSON, and does not hold back others', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const job = defineJob<boolean>({
      kind: 'test',
      run: async ({ payload }) => (payload ? circle : 'fine'),
    })
    const [bad, good] = [await add(true), await add(false)]
    await workers.start({ handlers: [job] }).idle()
    expect(await look(bad)).toMatchObject({ status: 'failed' })
    expect(await look(good)).toMatchObject({ status: 'completed', result: 'fine' })
  })

  it('is retried when it runs longer than its definition allows', async () => {
    const slow = defineJob({
      kind: 'test',
      timeoutMs: 30,
      run: ({ signal }) => untilAborted(signal),
    })
    const id = await add({})
    await workers.start({ handlers: [slow] }).idle()
    expect(await look(id)).toMatchObject({
      status: 'queued',
      error: 'JobAborted: The job took longer than it may.',
    })
  })
})

describe('a cancelled job', () => {
  it('gets its signal promptly through the hint', async () => {
    const started = createGate()
    let reason: unknown
    const job = defineJob({
      kind: 'test',
      async run({ signal }) {
        started.open()
        await untilAborted(signal).catch((error: unknown) => (reason = error))
        throw reason
      },
    })
    const worker = workers.start({ handlers: [job], heartbeatMs: 60_000 })
    await untilListening()
    await worker.idle()
    const id = await add({})
    await started.opened
    expect(await requestCancel(database.db, id, clock)).toBe('running')
    await vi.waitFor(async () => expect((await look(id)).status).toBe('cancelled'), 2_000)
    expect(reason).toEqual(new JobAborted('cancelled'))
  })

  it('is seen by the next heartbeat where the hint was lost', async () => {
    const started = createGate()
    const job = defineJob({
      kind: 'test',
      async run({ signal }) {
        started.open()
        await untilAborted(signal)
      },
    })
    const id = await add({})
    workers.start({ handlers: [job], heartbeatMs: 50 })
    await started.opened
    await database.pool.query('update jobs set cancel_requested = true where id = $1', [id])
    await vi.waitFor(async () => expect((await look(id)).status).toBe('cancelled'), 2_000)
  })

  it('ends also when its handler does not listen to the signal', async () => {
    const started = createGate()
    const deaf = defineJob({
      kind: 'test',
      async run() {
        started.open()
        await new Promise(() => undefined)
      },
    })
    const id = await add({})
    workers.start({ handlers: [deaf], heartbeatMs: 50 })
    await started.opened
    await requestCancel(database.db, id, clock)
    await vi.waitFor(async () => expect((await look(id)).status).toBe('cancelled'), 2_000)
  })
})

describe('stopping', () => {
  it('hands unfinished jobs back without burning an attempt, and another worker goes on', async () => {
    const started = createGate()
    const seen: unknown[] = []
    const first = defineJob<unknown, number>({
      kind: 'test',
      async run({ saveCheckpoint, signal }) {
        await saveCheckpoint(7)
        started.open()
        await untilAborted(signal).catch((error: unknown) => seen.push(error))
        signal.throwIfAborted()
      },
    })
    const id = await add({})
    const stopping = workers.start({ handlers: [first] })
    await started.opened
    await stopping.stop({ timeoutMs: 1_000 })
    expect(seen).toEqual([new JobAborted('shutdown')])
    expect(await look(id)).toMatchObject({ status: 'queued', attempts: 0 })

    const second = defineJob({ kind: 'test', run: async ({ checkpoint }) => checkpoint })
    await workers.start({ handlers: [second] }).idle()
    expect(await look(id)).toMatchObject({ status: 'completed', result: 7, attempts: 1 })
  })

  it('lets a handler finish that needs less than the timeout', async () => {
    const started = createGate()
    const job = defineJob({
      kind: 'test',
      async run({ signal }) {
        started.open()
        await untilAborted(signal).catch(() => undefined)
        return 'cleaned up'
      },
    })
    const id = await add({})
    const worker = workers.start({ handlers: [job] })
    await started.opened
    await worker.stop({ timeoutMs: 5_000 })
    expect(await look(id)).toMatchObject({ status: 'completed', result: 'cleaned up' })
  })

  it('waits no longer than the timeout for a handler that does not listen', async () => {
    const started = createGate()
    const deaf = defineJob({
      kind: 'test',
      async run() {
        started.open()
        await new Promise(() => undefined)
      },
    })
    const id = await add({})
    const worker = workers.start({ handlers: [deaf] })
    await started.opened
    await worker.stop({ timeoutMs: 20 })
    expect(await look(id)).toMatchObject({ status: 'queued', attempts: 0 })
  })
})

it('is stopped at once when it has only just started', async () => {
  const started = performance.now()
  for (let time = 0; time < 20; time++) {
    await workers.start({ handlers: [] }).stop({ timeoutMs: 0 })
  }
  expect(performance.now() - started).toBeLessThan(5_000)
})

it('refuses two handlers of one kind', () => {
  const job = defineJob({ kind: 'test', run: async () => undefined })
  expect(() => workers.start({ handlers: [job, job] })).toThrow('test')
})
