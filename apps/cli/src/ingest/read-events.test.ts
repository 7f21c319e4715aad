import { describe, expect, it } from 'vitest'
import { readEvents, type ReadEvent } from './read-events.ts'
import { textLines } from './text-lines.ts'

/** As bytes that come in pieces of the given size. */
async function read(text: string | Uint8Array, pieceBytes = 7): Promise<ReadEvent[]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const events: ReadEvent[] = []
  for await (const event of readEvents(textLines(pieces()))) events.push(event)
  return events
}

describe('readEvents', () => {
  it('reads JSON lines and counts blank ones', async () => {
    expect(await read('{"a":1}\n\n{"a":2}\r\n{"a":"ü"}')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 3, value: { a: 2 } },
      { line: 4, value: { a: 'ü' } },
    ])
  })

  it.each([1, 2, 3, 1000])('reads the same in pieces of %i bytes', async (size) => {
    expect(await read('\n{"a":"ü"}\r\n{"b":"€"}\n', size)).toEqual([
      { line: 2, value: { a: 'ü' } },
      { line: 3, value: { b: '€' } },
    ])
  })

  it('reads a list and knows where each element begins', async () => {
    const list = '\n[ {"a":"[,\\"]"},\n  {\n "b": [1, {"c": 2}]\n}, 3,\n\n"x,\\\\"\n]'
    expect(await read(list)).toEqual([
      { line: 2, value: { a: '[,"]' } },
      { line: 3, value: { b: [1, { c: 2 }] } },
      { line: 5, value: 3 },
      { line: 7, value: 'x,\\' },
    ])
  })

  it('reads an object that is written over several lines', async () => {
    expect(await read('{\n  "a": 1\n}\n')).toEqual([{ line: 1, value: { a: 1 } }])
  })

  it('passes over a byte order mark', async () => {
    expect(await read('\uFEFF{"a":1}')).toEqual([{ line: 1, value: { a: 1 } }])
  })

  it.each(['', '\n \n', '[]'])('finds no event in %j', async (text) => {
    expect(await read(text)).toEqual([])
  })

  it.each([
    ['the first', '{"a":\n{"a":2}\n{"a":3}', 1],
    ['a later', '{"a":1}\n{"a":\n{"a":3}', 2],
  ])('names %s line that is broken and reads the others', async (_, text, broken) => {
    const events = await read(text)
    expect(events.map((event) => ('error' in event ? `broken ${event.line}` : event.line))).toEqual(
      [1, 2, 3].map((line) => (line === broken ? `broken ${line}` : line)),
    )
  })

  it('refuses a list that has no end', async () => {
    await expect(read('[{"a":1},')).rejects.toThrow('begins as a list')
  })

  it('refuses bytes that are no text', async () => {
    await expect(read(Uint8Array.of(0x7b, 0xff, 0x7d))).rejects.toThrow('not UTF-8')
  })
})
