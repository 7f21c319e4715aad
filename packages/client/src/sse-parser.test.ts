import { describe, expect, it } from 'vitest'
import { createSseParser } from './sse-parser.ts'

/** All frames of the pieces, in order. */
function framesOf(...pieces: readonly string[]) {
  const parse = createSseParser()
  return pieces.flatMap((piece) => parse(piece))
}

describe('createSseParser', () => {
  it('reads event, data and id', () => {
    expect(framesOf('event: events\nid: 7\ndata: [1]\n\n')).toEqual([
      { event: 'events', data: '[1]', id: '7' },
    ])
  })

  it('calls a frame without an event a message', () => {
    expect(framesOf('data: x\n\n')).toMatchObject([{ event: 'message' }])
  })

  it('joins several data lines', () => {
    expect(framesOf('data: a\ndata:\ndata: b\n\n')).toMatchObject([{ data: 'a\n\nb' }])
  })

  it('takes away one space behind the colon and no more', () => {
    expect(framesOf('data:  x\n\n', 'data:x\n\n').map(({ data }) => data)).toEqual([' x', 'x'])
  })

  it('passes over comments', () => {
    expect(framesOf(': hello\n:\ndata: x\n\n')).toMatchObject([{ data: 'x' }])
  })

  it('passes over fields that it does not know', () => {
    expect(framesOf('retry: 3000\ncolour: red\ndata: x\n\n')).toMatchObject([{ data: 'x' }])
  })

  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])('ends lines at %s', (_, end) => {
    expect(framesOf(`event: e${end}data: x${end}data: y${end}${end}`)).toEqual([
      { event: 'e', data: 'x\ny', id: undefined },
    ])
  })

  it.each(['\n', '\r\n', '\r'])('reads the same wherever a text with %j is cut', (end) => {
    const text = `: c${end}id: 1${end}event: e${end}data: a${end}data: b${end}${end}data: z${end}${end}`
    const whole = framesOf(text)
    const cutOnce = text.split('').map((_, at) => framesOf(text.slice(0, at), text.slice(at)))
    expect([...cutOnce, framesOf(...text.split(''))]).toEqual(Array(text.length + 1).fill(whole))
  })

  it('keeps the id for the frames that follow', () => {
    expect(framesOf('id: 1\ndata: a\n\ndata: b\n\n').map(({ id }) => id)).toEqual(['1', '1'])
  })

  it('takes an id with a NUL for none', () => {
    expect(framesOf('id: a\0b\ndata: x\n\n')).toMatchObject([{ id: undefined }])
  })

  it('gives no frame where there is no data', () => {
    expect(framesOf('event: e\nid: 1\n\n')).toEqual([])
  })

  it('does not carry the event over to the next frame', () => {
    expect(framesOf('event: e\n\ndata: x\n\n')).toMatchObject([{ event: 'message' }])
  })

  it('gives no frame that has not ended', () => {
    expect(framesOf('data: x\n')).toEqual([])
  })

  it.each([
    ['one line', 'x'.repeat(101)],
    ['many lines', 'data: 0123456789\n'.repeat(11)],
  ])('refuses a frame that grows too large over %s', (_, text) => {
    expect(() => createSseParser(100)(text)).toThrow('larger than 100 characters')
  })

  it('takes any number of frames of the right size', () => {
    expect(createSseParser(100)('data: 0123456789\n\n'.repeat(50))).toHaveLength(50)
  })
})
