import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createId } from '@merlon/base'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { inTransaction } from '../db/tx.ts'
import { enqueue, findJob, requestCancel } from './index.ts'

let database: TestDatabase
const clock = new FakeClock(Date.UTC(2026, 9, 5, 12))

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.pool.query('delete from jobs'))

describe('enqueue', () => {
  it('answers the id of a queued job that is due now', async () => {
    const id = await enqueue(database.db, { kind: 'a', payload: { n: 1 } }, clock)
    expect(await findJob(database.db, id)).toMatchObject({
      id,
      kind: 'a',
      payload: { n: 1 },
      status: 'queued',
      attempts: 0,
      runAt: new Date(clock.now()),
    })
  })

  it('answers the existing id while a job with the same key is queued', async () => {
    const request = { kind: 'a', payload: {}, uniqueKey: 'same' }
    const first = await enqueue(database.db, request, clock)
    expect(await enqueue(database.db, request, clock)).toBe(first)
  })

  it('lets the same key be used by another kind', async () => {
    const first = await enqueue(database.db, { kind: 'a', payload: {}, uniqueKey: 'k' }, clock)
    const second = await enqueue(database.db, { kind: 'b', payload: {}, uniqueKey: 'k' }, clock)
    expect(second).not.toBe(first)
  })

  it('lets a key be used again once its job has finished', async () => {
    const request = { kind: 'a', payload: {}, uniqueKey: 'again' }
    const first = await enqueue(database.db, request, clock)
    await requestCancel(database.db, first, clock)
    expect(await enqueue(database.db, request, clock)).not.toBe(first)
  })

  it('adds one job when twenty callers use one key at the same moment', async () => {
    const request = { kind: 'a', payload: {}, uniqueKey: 'race' }
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => enqueue(database.db, request, clock)),
    )
    expect(new Set(ids).size).toBe(1)
  })

  it('adds nothing when the transaction around it is rolled back', async () => {
    let id = ''
    const failing = inTransaction(database.db, async (tx) => {
      id = await enqueue(tx, { kind: 'a', payload: {} }, clock)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await findJob(database.db, id)).toBeUndefined()
  })

  it('keeps a payload with NUL and a lone surrogate, which jsonb refuses', async () => {
    const payload = { text: 'a\0b\ud800c', slash: String.raw`\u0000` }
    const id = await enqueue(database.db, { kind: 'a', payload }, clock)
    const job = await findJob(database.db, id)
    expect(job?.payload).toEqual({ text: 'a\uFFFDb\uFFFDc', slash: String.raw`\u0000` })
  })
})

describe('requestCancel', () => {
  it('ends a queued job at once', async () => {
    const id = await enqueue(database.db, { kind: 'a', payload: {} }, clock)
    expect(await requestCancel(database.db, id, clock)).toBe('cancelled')
    expect(await findJob(database.db, id)).toMatchObject({ status: 'cancelled' })
  })

  it('answers undefined for a job that has ended or never was', async () => {
    const id = await enqueue(database.db, { kind: 'a', payload: {} }, clock)
    await requestCancel(database.db, id, clock)
    expect(await requestCancel(database.db, id, clock)).toBeUndefined()
    expect(await requestCancel(database.db, createId('job', 1), clock)).toBeUndefined()
  })
})

describe('the table', () => {
  it('loses the jobs of an app together with the app', async () => {
    const appId = createId('app', clock.now())
    await database.pool.query(`
      insert into accounts (id, name, role, created_at) values ('acct_x', 'x', 'customer', now());
      insert into apps (id, account_id, name, key_sealed, plan, settings, created_at, updated_at)
      values ('${appId}', 'acct_x', 'x', '', 'free', '{}', now(), now())`)
    const id = await enqueue(database.db, { kind: 'a', payload: {}, appId }, clock)
    await database.pool.query('delete from apps where id = $1', [appId])
    expect(await findJob(database.db, id)).toBeUndefined()
  })

  it('finds a due job through an index that holds no finished row', async () => {
    await database.pool.query(`
      insert into jobs (id, kind, payload, status, run_at, created_at, finished_at)
      select 'job_' || n, 'a', '{}', 'completed', now(), now(), now() from generate_series(1, 20000) n`)
    await enqueue(database.db, { kind: 'a', payload: {} }, clock)
    await database.pool.query('analyze jobs')
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`
      explain select id from jobs where status = 'queued' and run_at <= now() and kind = any ('{a}')
      order by priority desc, run_at, id limit 5 for update skip locked`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/jobs_due/)
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  })
})
