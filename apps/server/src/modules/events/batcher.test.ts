import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuttableProxy } from '../../../testing/cuttable-proxy.ts'
import { storedEvent } from '../../../testing/stored-event.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { openDatabase } from '../../db/database.ts'
import { Batcher, type BatcherOptions } from './batcher.ts'
import { ensurePartitions } from './partitions.repo.ts'
import type { StoredEvent } from './stored-event.ts'

describe('the batcher', () => {
  let database: TestDatabase
  let now = Date.now()
  beforeAll(async () => {
    database = await createTestDatabase()
    await ensurePartitions(database.pool, now)
  })
  afterAll(async () => database.drop())

  const newBatcher = (options: Partial<BatcherOptions> = {}): Batcher =>
    new Batcher({
      pool: database.pool,
      now: () => now,
      onStored: () => undefined,
      ...options,
    })
  const submit = (batcher: Batcher, ...events: StoredEvent[]): Promise<void> =>
    batcher.submit({ events, remember: undefined })
  const stored = async (appId: string): Promise<number> =>
    (await database.db.selectFrom('events').select('id').where('app_id', '=', appId).execute())
      .length
  const transactionsOf = async (appId: string): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      'select count(distinct xid)::int as n from events where app_id = $1',
      [appId],
    )
    return rows[0]?.n ?? 0
  }
  const fill = (appId: string, count: number): StoredEvent[] =>
    Array.from({ length: count }, () => storedEvent({ appId }))

  it('puts what is submitted together into one transaction', async () => {
    const batcher = newBatcher()
    await Promise.all(fill('together', 50).map((event) => submit(batcher, event)))
    expect(await stored('together')).toBe(50)
    expect(await transactionsOf('together')).toBe(1)
  })

  it('gathers what comes in while it writes', async () => {
    const batcher = newBatcher()
    const all: Promise<void>[] = []
    for (const event of fill('gather', 300)) {
      all.push(submit(batcher, event))
      if (all.length % 10 === 0) await new Promise(setImmediate)
    }
    await Promise.all(all)
    expect(await stored('gather')).toBe(300)
    expect(await transactionsOf('gather')).toBeLessThan(30)
  })

  it('splits what is more than one batch', async () => {
    const batcher = newBatcher()
    await Promise.all([1, 2, 3].map(() => submit(batcher, ...fill('split', 1_000))))
    expect(await stored('split')).toBe(3_000)
    expect(await transactionsOf('split')).toBe(2)
  })

  it('tells which apps got events, once they are on disk', async () => {
    const told: string[][] = []
    const batcher = newBatcher({ onStored: (appIds) => told.push([...appIds].toSorted()) })
    await Promise.all([submit(batcher, ...fill('a', 1)), submit(batcher, ...fill('b', 1))])
    await batcher.drain()
    expect(told).toEqual([['a', 'b']])
  })

  it('fails only the submission that the database refuses', async () => {
    const batcher = newBatcher()
    const [good] = fill('neighbour', 1)
    const bad = storedEvent({ appId: 'neighbour', title: 'nul \0' })
    const results = await Promise.allSettled([
      ...(good === undefined ? [] : [submit(batcher, good)]),
      submit(batcher, bad),
      submit(batcher, ...fill('neighbour', 60)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stored('neighbour')).toBe(61)
  })

  it('writes on after a refusal in the middle of a COPY', async () => {
    const batcher = newBatcher()
    const bad = [...fill('copy', 60), storedEvent({ appId: 'copy', payloadText: '{' })]
    await expect(submit(batcher, ...bad)).rejects.toThrow(/json/)
    await submit(batcher, ...fill('copy', 2))
    expect(await stored('copy')).toBe(2)
  })

  it('refuses with 503 and a time to come back when too many events wait', async () => {
    const batcher = newBatcher({ queueEventsMax: 10 })
    const first = submit(batcher, ...fill('full', 8))
    await expect(submit(batcher, ...fill('full', 3))).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    })
    await first
    await submit(batcher, ...fill('full', 3))
    expect(await stored('full')).toBe(11)
  })

  it('refuses when the oldest event has waited too long', async () => {
    const batcher = newBatcher({ queueAgeMsMax: 2_000 })
    const waiting = submit(batcher, ...fill('old', 1))
    now += 2_000
    const inTime = submit(batcher, ...fill('old', 1))
    now += 1
    await expect(submit(batcher, ...fill('old', 1))).rejects.toMatchObject({ status: 503 })
    await Promise.all([waiting, inTime])
    expect(await stored('old')).toBe(2)
  })

  it('drains what is queued and what is being written', async () => {
    const batcher = newBatcher()
    let done = 0
    const all = Array.from({ length: 5 }, () =>
      submit(batcher, ...fill('drain', 1_500)).then(() => done++),
    )
    await batcher.drain()
    await Promise.all(all)
    expect(done).toBe(5)
    expect(batcher.queuedEvents).toBe(0)
    expect(await stored('drain')).toBe(7_500)
  })

  it('has nothing to drain when nothing was submitted', async () => {
    await newBatcher().drain()
  })

  it('answers 503 while the database is away, and writes again once it is back', async () => {
    const proxy = await createCuttableProxy(database.connection)
    const away = openDatabase(proxy.connection, { connections: 2, onError: () => undefined })
    const batcher = newBatcher({ pool: away.pool })
    await submit(batcher, ...fill('away', 1))
    proxy.cut()
    const lost = await Promise.allSettled([
      submit(batcher, ...fill('away', 1)),
      submit(batcher, ...fill('away', 100)),
    ])
    expect(lost).toMatchObject(
      Array(2).fill({ status: 'rejected', reason: { status: 503, kind: 'unavailable' } }),
    )
    proxy.mend()
    await submit(batcher, ...fill('away', 100))
    expect(await stored('away')).toBe(101)
    await away.close()
    await proxy.close()
  })

  it('answers 503 when the database goes in the middle of a write', async () => {
    const proxy = await createCuttableProxy(database.connection)
    const away = openDatabase(proxy.connection, { connections: 2, onError: () => undefined })
    const batcher = newBatcher({ pool: away.pool })
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('lock table ingest_log in access exclusive mode')
    const writing = expect(submit(batcher, ...fill('middle', 100))).rejects.toMatchObject({
      status: 503,
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    proxy.cut()
    await writing
    await holder.query('rollback')
    holder.release()
    proxy.mend()
    await submit(batcher, ...fill('middle', 100))
    expect(await stored('middle')).toBe(100)
    await away.close()
    await proxy.close()
  })
})
