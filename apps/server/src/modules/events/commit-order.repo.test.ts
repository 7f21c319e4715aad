import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { storedEvent } from '../../../testing/stored-event.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import {
  comparePositions,
  currentPosition,
  formatPosition,
  isResumable,
  parsePosition,
  positionOf,
  readSince,
  type CommitPosition,
  type SequencedRow,
} from './commit-order.repo.ts'
import { ensurePartitions } from './partitions.repo.ts'
import { storeBatch, writeFresh } from './store.repo.ts'

describe('the commit order', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase({ connections: 12 })
    await ensurePartitions(database.pool, Date.now())
  })
  afterAll(async () => database.drop())

  const write = async (appId: string, ...titles: string[]): Promise<void> => {
    const client = await database.pool.connect()
    await storeBatch(
      client,
      titles.map((title) => storedEvent({ appId, title })),
      [],
    )
    client.release()
  }
  /** The horizon is that of the whole server: other test files' transactions hold it back too. */
  const eventually = async (read: () => Promise<unknown>, value: unknown): Promise<void> =>
    vi.waitFor(async () => expect(await read()).toEqual(value), { timeout: 20_000, interval: 20 })
  const firstOf = async (appId: string, after: CommitPosition): Promise<SequencedRow> =>
    vi.waitFor(
      async () => {
        const [row] = await readSince(database.pool, appId, after, 1)
        if (row === undefined) throw new Error('Nothing can be read yet.')
        return row
      },
      { timeout: 20_000, interval: 20 },
    )
  const readAll = async (appId: string, after: CommitPosition): Promise<string[]> =>
    (await readSince(database.pool, appId, after, 1_000)).map((row) => row.title)

  it('shows what was committed behind a position, oldest first', async () => {
    await write('a', 'before')
    const position = await currentPosition(database.pool)
    await write('a', 'one', 'two')
    await write('a', 'three')
    await write('other', 'theirs')
    await eventually(() => readAll('a', position), ['one', 'two', 'three'])
  })

  it('goes on in the middle of a transaction', async () => {
    const position = await currentPosition(database.pool)
    await write('b', 'one', 'two', 'three')
    const first = await firstOf('b', position)
    expect(await readAll('b', positionOf(first))).toEqual(['two', 'three'])
  })

  it('holds back what was committed behind a transaction that still runs', async () => {
    const position = await currentPosition(database.pool)
    const early = new pg.Client(database.connection)
    await early.connect()
    await early.query('begin')
    await writeFresh(early as unknown as pg.PoolClient, [
      storedEvent({ appId: 'c', title: 'early' }),
    ])
    await write('c', 'late')
    expect(await readAll('c', position)).toEqual([])
    await early.query('commit')
    await early.end()
    await eventually(() => readAll('c', position), ['early', 'late'])
  })

  it('loses and repeats nothing with four writers that overlap, as ids alone would', async () => {
    const appId = 'd'
    let position = await currentPosition(database.pool)
    let newestId = ''
    const byPosition: string[] = []
    const byId: string[] = []
    let writing = true
    const look = async (): Promise<void> => {
      const rows = await readSince(database.pool, appId, position, 25)
      byPosition.push(...rows.map((row) => row.id))
      const last = rows.at(-1)
      if (last !== undefined) position = positionOf(last)
      const plain = await database.pool.query<{ id: string }>(
        'select id from events where app_id = $1 and id > $2 order by id limit 25',
        [appId, newestId],
      )
      byId.push(...plain.rows.map((row) => row.id))
      newestId = plain.rows.at(-1)?.id ?? newestId
    }
    const reader = (async () => {
      while (writing) await look()
    })()
    const written: string[] = []
    const writer = async (number: number): Promise<void> => {
      const client = await database.pool.connect()
      for (let round = 0; round < 25; round++) {
        const events = Array.from({ length: 3 }, () => storedEvent({ appId }))
        await client.query('begin')
        await writeFresh(client, events)
        // The first writer holds its transactions open while the others commit theirs.
        await client.query('select pg_sleep($1)', [number === 0 ? 0.02 : 0.001 * (round % 4)])
        await client.query(round % 9 === 8 ? 'rollback' : 'commit')
        if (round % 9 !== 8) written.push(...events.map((event) => event.id))
      }
      client.release()
    }
    await Promise.all([0, 1, 2, 3].map(writer))
    writing = false
    await reader
    await vi.waitFor(
      async () => {
        await look()
        if (byPosition.length < written.length) throw new Error('More is to come.')
      },
      { timeout: 20_000, interval: 10 },
    )
    await look()
    expect(byPosition.toSorted()).toEqual(written.toSorted())
    expect(byId.length).toBeLessThan(written.length)
  })

  it.each([
    ['5.evt_01ARZ3NDEKTSV4RRFFQ69G5FAV', { xid: '5', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
    ['5.', { xid: '5', id: '' }],
  ])('can be carried as the text %s', (text, position) => {
    expect(parsePosition(text)).toEqual(position)
    expect(formatPosition(position)).toBe(text)
  })

  it.each([
    '',
    '.',
    'x.',
    '-1.',
    '5',
    '5.evt_x',
    '5.app_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    `${'9'.repeat(20)}.`,
  ])('knows that %j is no position', (text) => {
    expect(parsePosition(text)).toBeUndefined()
  })

  it('compares transactions as numbers, not as texts', () => {
    expect(comparePositions({ xid: '9', id: 'z' }, { xid: '10', id: 'a' })).toBe(-1)
    expect(comparePositions({ xid: '10', id: 'b' }, { xid: '10', id: 'a' })).toBe(1)
    expect(comparePositions({ xid: '10', id: 'a' }, { xid: '10', id: 'a' })).toBe(0)
  })

  it("resumes only behind an event of the app's own that is young enough", async () => {
    const start = await currentPosition(database.pool)
    await write('e', 'one')
    const row = await firstOf('e', start)
    const position = positionOf(row)
    const [before, after] = [-1, 1].map((ms) => new Date(row.received_at.getTime() + ms))
    const ask = (appId: string, at: CommitPosition, since = before) =>
      isResumable(database.pool, appId, at, since ?? new Date(0))
    expect(await ask('e', position)).toBe(true)
    expect(await ask('e', position, after)).toBe(false)
    expect(await ask('f', position)).toBe(false)
    expect(await ask('e', { xid: '1', id: position.id })).toBe(false)
    expect(await ask('e', { xid: position.xid, id: '' })).toBe(false)
  })
})
