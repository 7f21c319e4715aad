import { describe, expect, it } from 'vitest'
import { batchesOf, type Batch, type Rejection } from './batches.ts'
import type { ReadEvent } from './read-events.ts'

async function batches(events: readonly ReadEvent[], bounds?: Parameters<typeof batchesOf>[3]) {
  const rejected: Rejection[] = []
  const made: Batch[] = []
  let ids = 0
  const newId = () => `id-${++ids}`
  for await (const one of batchesOf(events, (it) => rejected.push(it), newId, bounds)) {
    made.push(one)
  }
  return { made, rejected }
}

const numbered = (count: number): ReadEvent[] =>
  Array.from({ length: count }, (_, i) => ({ line: i + 1, value: { id: 'x' } }))

describe('batchesOf', () => {
  it('puts at most 1,000 events into a batch', async () => {
    const { made } = await batches(numbered(2001))
    expect(made.map(({ lines }) => lines.length)).toEqual([1000, 1000, 1])
  })

  it('knows the line of every event', async () => {
    const { made } = await batches(numbered(3), { eventsMax: 2, bytesMax: 1000 })
    expect(made.map(({ lines }) => lines)).toEqual([[1, 2], [3]])
  })

  it('makes no batch larger than 1 MiB, in bytes', async () => {
    const value = { id: 'x', title: 'ü'.repeat(100_000) }
    const { made } = await batches(numbered(12).map(({ line }) => ({ line, value })))
    const sizes = made.map(({ text }) => Buffer.byteLength(text))
    expect({ events: made.map(({ lines }) => lines.length), max: Math.max(...sizes) }).toEqual({
      events: [5, 5, 2],
      max: expect.toSatisfy((size: number) => size <= 1024 * 1024) as number,
    })
  })

  it('fills a batch to the very last byte', async () => {
    const bytesMax = Buffer.byteLength('[{"id":"x"},{"id":"x"}]') + 1
    const { made } = await batches(numbered(2), { eventsMax: 10, bytesMax })
    expect(made.map(({ text }) => text)).toEqual(['[{"id":"x"},{"id":"x"}]'])
  })

  it('rejects an event that fits into no batch, and goes on', async () => {
    const events = [{ line: 1, value: { id: 'x'.repeat(50) } }, ...numbered(1)]
    const { made, rejected } = await batches(events, { eventsMax: 10, bytesMax: 40 })
    expect({ batches: made.length, rejected }).toEqual({
      batches: 1,
      rejected: [{ line: 1, error: 'The event is larger than 40 bytes.' }],
    })
  })

  it('rejects a line that could not be read', async () => {
    const { rejected } = await batches([{ line: 4, error: 'No.' }])
    expect(rejected).toEqual([{ line: 4, error: 'No.' }])
  })

  it.each([
    [{ a: 1 }, { a: 1, id: 'id-1' }],
    [{ id: null }, { id: 'id-1' }],
    [{ id: 'mine' }, { id: 'mine' }],
    [{ id: 5 }, { id: 5 }],
    [[1], [1]],
    ['text', 'text'],
    [null, null],
  ])('sends %j as %j', async (value, expected) => {
    const { made } = await batches([{ line: 1, value }])
    expect(JSON.parse(made[0]?.text ?? '')).toEqual([expected])
  })
})
