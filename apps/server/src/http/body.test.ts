import { describe, expect, it } from 'vitest'
import { readJsonBody } from './body.ts'

const read = (text: string) => readJsonBody(Buffer.from(text))

describe('readJsonBody', () => {
  it.each<[string, unknown]>([
    ['{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['"text"', 'text'],
    [' \n{}\t', {}],
    ['"\\ud83c\\udff0"', '🏰'],
    ['{"constructor":"a builder"}', { constructor: 'a builder' }],
  ])('reads %s', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  it.each(['{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '{} {}', '\u0000'])(
    'refuses %j, which is no JSON',
    (text) => {
      expect(() => read(text)).toThrow('The body is not valid JSON.')
    },
  )

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":[{"__proto__":1}]}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"\\u005f_proto__":{}}',
  ])('refuses %s, which would reach for a prototype', (text) => {
    expect(() => read(text)).toThrow('must not contain the keys __proto__ or constructor.prototype')
  })

  it('refuses bytes that are no UTF-8', () => {
    expect(() => readJsonBody(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('not valid UTF-8')
    // A surrogate that was encoded by itself.
    expect(() => readJsonBody(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toThrow('UTF-8')
  })

  it.each([
    ['{"a":{"b":"\\u0000"}}', 'a.b contains a NUL'],
    ['{"a":["\\ud800"]}', 'a.0 contains a NUL or half a surrogate pair'],
    ['"\\u0000"', 'The body contains a NUL'],
    ['{"\\u0000":1}', 'a field name contains a NUL'],
  ])('refuses %s, which cannot be stored', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence)
  })

  it('survives a hundred thousand levels', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(Array.isArray(read(deep))).toBe(true)
  })

  it('says what an empty body lacks', () => {
    expect(() => read('')).toThrow('a JSON body is required')
  })
})
