import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCuttableProxy } from '../../../testing/cuttable-proxy.ts'
import { storedEvent } from '../../../testing/stored-event.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { openDatabase } from '../../db/database.ts'
import { dropPartitionsBefore, ensurePartitions } from './partitions.repo.ts'
import { storeBatch } from './store.repo.ts'

const NOON = Date.UTC(2026, 2, 10, 12)
const DAY = 86_400_000
const nameOf = (at: number): string =>
  `events_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`

describe('the partitions', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  beforeEach(async () => {
    await database.pool.query('truncate events')
  })
  afterEach(async () => {
    await dropPartitionsBefore(database.pool, new Date(NOON + 1_000 * DAY))
  })
  afterAll(async () => database.drop())

  const partitions = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'events'::regclass order by 1`,
    )
    return rows.map((row) => row.name)
  }
  const store = async (...times: number[]): Promise<void> => {
    const client = await database.pool.connect()
    const events = times.map((at) => storedEvent({ at }))
    await storeBatch(client, events, []).finally(() => client.release())
  }
  const placeOf = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ place: string }>(
      'select tableoid::regclass::text as place from events order by ts',
    )
    return rows.map((row) => row.place)
  }

  it('are made for yesterday and eight days ahead, beside the catch-all', async () => {
    const days = Array.from({ length: 10 }, (_, i) => nameOf(NOON + (i - 1) * DAY))
    expect(await ensurePartitions(database.pool, NOON)).toEqual(days)
    expect(await partitions()).toEqual([...days, 'events_other'])
  })

  it('are left alone when they exist', async () => {
    await ensurePartitions(database.pool, NOON)
    await store(NOON)
    expect(await ensurePartitions(database.pool, NOON)).toEqual([])
    expect(await placeOf()).toEqual([nameOf(NOON)])
  })

  it('grow by a day when a day has gone', async () => {
    await ensurePartitions(database.pool, NOON)
    expect(await ensurePartitions(database.pool, NOON + DAY)).toEqual([nameOf(NOON + 9 * DAY)])
  })

  it('are made once when two nodes make them at once', async () => {
    const made = await Promise.all([1, 2, 3].map(() => ensurePartitions(database.pool, NOON)))
    expect(made.flat()).toHaveLength(10)
  })

  it('take over the rows that came before them, and only those of their day', async () => {
    const midnight = Date.UTC(2026, 2, 10)
    await store(midnight - 3 * DAY, midnight - 1, midnight, midnight + DAY - 1, midnight + DAY)
    await ensurePartitions(database.pool, NOON)
    expect(await placeOf()).toEqual([
      'events_other',
      nameOf(midnight - 1),
      nameOf(midnight),
      nameOf(midnight),
      nameOf(midnight + DAY),
    ])
  })

  it('are made while events of their days come in', async () => {
    let writing = true
    let written = 0
    const writers = [0, 1].map(async () => {
      while (writing) {
        await store(NOON, NOON + DAY, NOON + 2 * DAY)
        written += 3
      }
    })
    await ensurePartitions(database.pool, NOON)
    writing = false
    await Promise.all(writers)
    expect(await placeOf()).toHaveLength(written)
    expect(new Set(await placeOf())).not.toContain('events_other')
  })

  it('have every index of the whole table', async () => {
    const [name = ''] = await ensurePartitions(database.pool, NOON)
    const count = async (table: string): Promise<number> =>
      (
        await database.pool.query<{ n: number }>(
          `select count(*)::int as n from pg_index where indrelid = $1::regclass and indisvalid`,
          [table],
        )
      ).rows[0]?.n ?? 0
    expect(await count(name)).toBe(await count('events'))
    expect(await count(name)).toBeGreaterThan(5)
  })

  it('know the transaction of a row, also of one that was moved', async () => {
    await store(NOON)
    const before = await database.pool.query('select xid::text from events')
    await ensurePartitions(database.pool, NOON)
    await store(NOON)
    const after = await database.pool.query<{ xid: string }>('select xid::text from events')
    expect(after.rows[0]).toEqual(before.rows[0])
    expect(after.rows.every(({ xid }) => Number(xid) > 0)).toBe(true)
  })

  it('are dropped with their rows when they lie wholly before a time', async () => {
    await ensurePartitions(database.pool, NOON)
    await store(NOON - DAY, NOON, NOON + DAY)
    const dropped = await dropPartitionsBefore(database.pool, new Date(NOON + DAY))
    expect(dropped).toEqual([nameOf(NOON - DAY), nameOf(NOON)])
    const { rows } = await database.pool.query<{ gone: boolean }>(
      'select to_regclass($1) is null as gone',
      [nameOf(NOON)],
    )
    expect(rows[0]?.gone).toBe(true)
    expect(await placeOf()).toEqual([nameOf(NOON + DAY)])
  })

  it('never drop the catch-all', async () => {
    await dropPartitionsBefore(database.pool, new Date(NOON + 500 * DAY))
    expect(await partitions()).toEqual(['events_other'])
  })

  it('give their connection back when the database goes in between', async () => {
    const proxy = await createCuttableProxy(database.connection)
    const away = openDatabase(proxy.connection, { connections: 1, onError: () => undefined })
    const making = expect(ensurePartitions(away.pool, NOON)).rejects.toThrow()
    setTimeout(() => proxy.cut(), 20)
    await making
    proxy.mend()
    await ensurePartitions(away.pool, NOON)
    expect(await partitions()).toHaveLength(11)
    await away.close()
    await proxy.close()
  })
})
