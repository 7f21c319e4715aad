import { finished } from 'node:stream/promises'
import fc from 'fast-check'
import { from as copyFrom } from 'pg-copy-streams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedEvent } from '../../../testing/stored-event.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { storable } from './clean-payload.ts'
import { copyText } from './copy-text.ts'
import { eventColumns, type EventRow, type StoredEvent } from './stored-event.ts'

const NASTY = [
  '',
  '\\',
  '\\N',
  '\\.',
  '\n\\.\n',
  '\t',
  '\r\n',
  '\\t',
  '\u2028',
  '"',
  "'",
  '{}',
  '😀',
]

describe('the text of a COPY', () => {
  let database: TestDatabase
  beforeAll(async () => (database = await createTestDatabase({ connections: 2 })))
  afterAll(async () => database.drop())

  /** Through a real COPY and back, in the order given. */
  const roundTrip = async (events: readonly StoredEvent[]): Promise<EventRow[]> => {
    const client = await database.pool.connect()
    try {
      await client.query('truncate events')
      const copy = client.query(copyFrom(`copy events (${eventColumns.join()}) from stdin`))
      copy.end(copyText(events))
      await finished(copy)
      return (await client.query<EventRow>('select * from events order by id')).rows
    } finally {
      client.release()
    }
  }
  const textsOf = (row: EventRow | undefined) => [
    row?.type,
    row?.module,
    row?.title,
    row?.description,
    row?.user_id,
    row?.city,
  ]
  const eventOf = (text: string, other: string | null): StoredEvent =>
    storedEvent({
      type: text,
      module: text,
      title: text,
      description: other,
      userId: other,
      city: other,
      payloadText: JSON.stringify({ [text]: other }),
    })

  it.each(NASTY)('brings %j back as it was', async (text) => {
    const [row] = await roundTrip([eventOf(text, text)])
    expect(textsOf(row)).toEqual(Array(6).fill(text))
    expect(row?.payload).toEqual({ [text]: text })
  })

  it('keeps nothing and an empty text apart', async () => {
    const [none, empty] = await roundTrip([eventOf('a', null), eventOf('a', '')])
    expect(none?.description).toBeNull()
    expect(empty?.description).toBe('')
  })

  it('keeps the time to the millisecond', async () => {
    const at = Date.UTC(2026, 5, 7, 8, 9, 10, 11)
    const [row] = await roundTrip([storedEvent({ at, receivedAt: at + 1 })])
    expect([row?.ts.getTime(), row?.received_at.getTime()]).toEqual([at, at + 1])
  })

  it('brings any texts back, many rows at a time', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\\', 'N', '.', '\n', '\r', '\t', '\0', '\ud800', 'é') }),
    )
    const row = fc.tuple(text, fc.option(text))
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 50 }), async (given) => {
        const kept = given.map(([a, b]) => [storable(a), b === null ? null : storable(b)] as const)
        const rows = await roundTrip(kept.map(([a, b]) => eventOf(a, b)))
        expect(rows.map(textsOf)).toEqual(kept.map(([a, b]) => [a, a, a, b, b, b]))
        expect(rows.map(({ payload }) => payload)).toEqual(kept.map(([a, b]) => ({ [a]: b })))
      }),
      { numRuns: 25 },
    )
  })
})
