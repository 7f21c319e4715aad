import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decompress, parseEvents } from './read-body.ts'

const parse = (text: string) => parseEvents(Buffer.from(text))

describe('a compressed body', () => {
  it('is unpacked', async () => {
    expect((await decompress(gzipSync('[1]'), 'gzip')).toString()).toBe('[1]')
  })

  it.each([undefined, 'identity'])('is left as it is with the encoding %s', async (encoding) => {
    expect((await decompress(Buffer.from('[1]'), encoding)).toString()).toBe('[1]')
  })

  it('may be 1 MiB when unpacked and no more', async () => {
    const mebibyte = 1024 * 1024
    expect(await decompress(gzipSync(Buffer.alloc(mebibyte)), 'gzip')).toHaveLength(mebibyte)
    await expect(decompress(gzipSync(Buffer.alloc(mebibyte + 1)), 'gzip')).rejects.toMatchObject({
      status: 413,
    })
  })

  it('is refused as 413 when a thousand times its size would come out', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const before = process.memoryUsage().arrayBuffers
    await expect(decompress(bomb, 'gzip')).rejects.toMatchObject({ status: 413 })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024)
  })

  it.each([
    ['garbage', Buffer.from('not gzip')],
    ['nothing', Buffer.alloc(0)],
    ['a torn end', gzipSync('[1,2,3]').subarray(0, 15)],
  ])('is refused as 400 when it is %s', async (_name, body) => {
    await expect(decompress(body, 'gzip')).rejects.toMatchObject({ status: 400 })
  })

  it.each(['br', 'deflate', 'gzip, gzip'])('is refused as 415 with %s', async (encoding) => {
    await expect(decompress(gzipSync('[]'), encoding)).rejects.toMatchObject({ status: 415 })
  })
})

describe('a body', () => {
  it('of one value is a list of one', () => {
    expect(parse('{"a":1}')).toEqual([{ a: 1 }])
  })

  it('loses prototype keys, and only those', () => {
    const [value] = parse('{"__proto__":{"x":1},"constructor":{"prototype":{}},"a":1}')
    expect(Object.keys(value as object)).not.toContain('__proto__')
    expect(value).toMatchObject({ a: 1 })
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it.each([
    ['', /empty/],
    ['[]', /list of events is empty/],
    ['{', /not valid JSON/],
    [`[${Array(1_001).fill('1').join()}]`, /these are 1001/],
  ])('that is %.20j is refused', (text, sentence) => {
    expect(() => parse(text)).toThrow(sentence)
  })

  it('that is no UTF-8 is refused, not mended', () => {
    expect(() => parseEvents(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/)
  })
})
