import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import pg from 'pg'
import { createCuttableProxy, type CuttableProxy } from '../../testing/cuttable-proxy.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createGate, testWorkers, untilAborted } from '../../testing/job-worker.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { openDatabase, type Database, type Db } from '../db/database.ts'
import { inTransaction } from '../db/tx.ts'
import { defineJob, enqueue, findJob, type Job, type JobRun } from './index.ts'
import { takeJobs } from './lease.repo.ts'

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

const add = (more: { attemptsMax?: number } = {}) =>
  enqueue(database.db, { kind: 'test', payload: {}, ...more }, clock)

async function look(id: string): Promise<Job> {
  const job = await findJob(database.db, id)
  if (job === undefined) throw new Error(`${id} is gone`)
  return job
}

/** What all other workers see once a worker has not renewed its lease in time. */
async function expireLease(id: string): Promise<void> {
  await database.pool.query(
    `update jobs set lease_expires_at = now() - interval '1 second' where id = $1`,
    [id],
  )
}

/** Leads nowhere, so that no hint makes a worker look before its time. */
const nowhere = new pg.Pool({ host: '/nowhere' })

/** A worker in the middle of a job whose heartbeat never comes. */
async function startStuckWorker(act: (job: JobRun<unknown, unknown>) => Promise<unknown>) {
  const started = createGate()
  const ended = createGate()
  const job = defineJob({
    kind: 'test',
    async run(run) {
      await run.saveCheckpoint({ page: 3 })
      started.open()
      try {
        return await act(run)
      } finally {
        ended.open()
      }
    },
  })
  const waits = { heartbeatMs: 60_000, leaseMs: 60_000, pollMs: 60_000 }
  workers.start({ handlers: [job], pool: nowhere, ...waits })
  await started.opened
  return { ended: ended.opened }
}

const resumed = defineJob({
  kind: 'test',
  run: async ({ checkpoint, attempt }) => ({ checkpoint, attempt }),
})

describe('a lease that ran out', () => {
  it('lets another worker resume at the checkpoint, as the next attempt', async () => {
    const id = await add()
    await startStuckWorker(({ signal }) => untilAborted(signal))
    await expireLease(id)
    workers.start({ handlers: [resumed] })
    await vi.waitFor(async () => {
      expect(await look(id)).toMatchObject({
        status: 'completed',
        result: { checkpoint: { page: 3 }, attempt: 2 },
      })
    })
  })

  it('refuses the late end of the worker that had it', async () => {
    const id = await add()
    const letGo = createGate()
    const stuck = await startStuckWorker(() => letGo.opened.then(() => 'too late'))
    await expireLease(id)
    const holding = createGate()
    const holder = defineJob({
      kind: 'test',
      async run({ signal }) {
        holding.open()
        await untilAborted(signal)
      },
    })
    workers.start({ handlers: [holder] })
    await holding.opened
    letGo.open()
    await stuck.ended
    await workers.stopAll()
    expect(await look(id)).toMatchObject({ status: 'queued', result: null, attempts: 1 })
  })

  it('refuses the late checkpoint of the worker that had it and aborts its handler', async () => {
    const id = await add()
    const letGo = createGate()
    let aborted: boolean | undefined
    const stuck = await startStuckWorker(async ({ saveCheckpoint, signal }) => {
      await letGo.opened
      await saveCheckpoint({ page: 4 }).catch(() => (aborted = signal.aborted))
    })
    await expireLease(id)
    workers.start({ handlers: [resumed] })
    await vi.waitFor(async () => expect((await look(id)).status).toBe('completed'))
    letGo.open()
    await stuck.ended
    expect(aborted).toBe(true)
    expect((await look(id)).checkpoint).toEqual({ page: 3 })
  })

  it('is noticed by the heartbeat of the worker that had it', async () => {
    const id = await add()
    const started = createGate()
    const ended = createGate()
    let reason: unknown
    const job = defineJob({
      kind: 'test',
      async run({ signal, attempt }) {
        if (attempt === 2) return
        started.open()
        await untilAborted(signal).catch((error: unknown) => (reason = error))
        ended.open()
      },
    })
    workers.start({ handlers: [job], heartbeatMs: 50 })
    await started.opened
    await database.pool.query(`update jobs set leased_by = 'somebody else' where id = $1`, [id])
    await ended.opened
    expect(reason).toMatchObject({ reason: 'lease-lost' })
  })

  it('is aborted when the row is gone, as it is after the deletion of its app', async () => {
    await add()
    const started = createGate()
    const ended = createGate()
    const job = defineJob({
      kind: 'test',
      async run({ signal }) {
        started.open()
        await untilAborted(signal).finally(() => ended.open())
      },
    })
    workers.start({ handlers: [job], heartbeatMs: 50 })
    await started.opened
    await database.pool.query('delete from jobs')
    await ended.opened
  })

  it('fails a job whose attempts are used up, so that it cannot kill workers for ever', async () => {
    const id = await add({ attemptsMax: 1 })
    await startStuckWorker(({ signal }) => untilAborted(signal))
    await expireLease(id)
    await workers.start({ handlers: [resumed] }).idle()
    expect(await look(id)).toMatchObject({
      status: 'failed',
      error: 'The worker stopped answering during attempt 1.',
    })
  })

  it('is kept by heartbeats for as long as the job takes', async () => {
    const id = await add()
    const done = createGate()
    const long = defineJob({ kind: 'test', run: () => done.opened })
    workers.start({ handlers: [long], leaseMs: 300, heartbeatMs: 50 })
    workers.start({ handlers: [long], leaseMs: 300, heartbeatMs: 50 })
    await new Promise((resolve) => setTimeout(resolve, 900))
    done.open()
    await vi.waitFor(async () => {
      expect(await look(id)).toMatchObject({ status: 'completed', attempts: 1 })
    })
  })
})

describe('taking jobs', () => {
  it('passes over those that another worker is taking at the same moment', async () => {
    for (let n = 0; n < 10; n++) await add()
    const take = (db: Db, worker: string) =>
      takeJobs(db, {
        worker,
        kinds: ['test'],
        attemptsMaxOfKinds: [5],
        limit: 5,
        leaseMs: 60_000,
        now: new Date(clock.now()),
      })
    const taken = await inTransaction(database.db, async (tx) => [
      ...(await take(tx, 'first')),
      ...(await take(database.db, 'second')),
    ])
    expect(new Set(taken.map((job) => job.id)).size).toBe(10)
  })
})

describe('a checkpoint saved in a transaction', () => {
  it('is undone together with it', async () => {
    const job = defineJob<unknown, number>({
      kind: 'test',
      async run({ db, saveCheckpoint }) {
        await saveCheckpoint(1)
        await inTransaction(db, async (tx) => {
          await saveCheckpoint(2, tx)
          throw new Error('undo')
        }).catch(() => undefined)
      },
    })
    const id = await add()
    await workers.start({ handlers: [job] }).idle()
    expect((await look(id)).checkpoint).toBe(1)
  })
})

describe('a database that goes away', () => {
  let proxy: CuttableProxy
  let interrupted: Database

  beforeEach(async () => {
    proxy = await createCuttableProxy(database.connection)
    interrupted = openDatabase(proxy.connection, { connections: 5, onError: () => undefined })
  })
  afterEach(async () => {
    proxy.mend()
    await workers.stopAll()
    await interrupted.close()
    await proxy.close()
  })

  it('delays the end of a job, but the job is not run again', async () => {
    const id = await add()
    const started = createGate()
    const letGo = createGate()
    const job = defineJob({
      kind: 'test',
      async run({ attempt }) {
        started.open()
        await letGo.opened
        return { attempt }
      },
    })
    workers.start({ handlers: [job], db: interrupted.db, pool: interrupted.pool })
    await started.opened
    proxy.cut()
    letGo.open()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await look(id)).status).toBe('running')
    proxy.mend()
    await vi.waitFor(
      async () =>
        expect(await look(id)).toMatchObject({ status: 'completed', result: { attempt: 1 } }),
      5_000,
    )
  })

  it('is found again, and new jobs are taken', async () => {
    const job = defineJob({ kind: 'test', run: async () => 'done' })
    const worker = workers.start({ handlers: [job], db: interrupted.db, pool: interrupted.pool })
    await worker.idle()
    proxy.cut()
    const id = await add()
    await new Promise((resolve) => setTimeout(resolve, 300))
    proxy.mend()
    await vi.waitFor(async () => expect((await look(id)).status).toBe('completed'), 5_000)
  })

  it('does not keep a worker from stopping', async () => {
    const job = defineJob({ kind: 'test', run: ({ signal }) => untilAborted(signal) })
    await add()
    const worker = workers.start({ handlers: [job], db: interrupted.db, pool: interrupted.pool })
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query('select status from jobs')
      expect(rows).toEqual([{ status: 'running' }])
    })
    proxy.swallow()
    const started = performance.now()
    await worker.stop({ timeoutMs: 100 })
    expect(performance.now() - started).toBeLessThan(6_000)
  })

  it('makes a worker stop its handler before another worker can have the job', async () => {
    const id = await add()
    const started = createGate()
    let abortedAttempts: number | undefined
    const job = defineJob({
      kind: 'test',
      async run({ signal }) {
        started.open()
        await untilAborted(signal).catch(async () => {
          abortedAttempts = (await look(id)).attempts
        })
      },
    })
    const waits = { leaseMs: 600, heartbeatMs: 100 }
    workers.start({ handlers: [job], db: interrupted.db, pool: interrupted.pool, ...waits })
    await started.opened
    proxy.swallow()
    await vi.waitFor(() => expect(abortedAttempts).toBe(1), 5_000)
    workers.start({ handlers: [resumed] })
    await vi.waitFor(async () => {
      expect(await look(id)).toMatchObject({ status: 'completed', attempts: 2 })
    }, 5_000)
  })
})
