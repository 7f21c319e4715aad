import { endpoints, type Endpoint } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { compileValidator, findUnstorable, isStorableText } from './validation.ts'

interface Field {
  readonly type?: string | readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

function validates(httpPart: string, schema: object, value: unknown): boolean {
  const validate = compileValidator({ schema, method: 'GET', url: '/', httpPart })
  return (validate as (given: unknown) => unknown)(value) === true
}

describe('compileValidator', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' }, b: { type: 'boolean' } } }

  it('reads numbers and booleans from the text of a query', () => {
    const query = { n: '12', b: 'true' }
    expect(validates('querystring', schema, query)).toBe(true)
    expect(query).toEqual({ n: 12, b: true })
  })

  it.each(['', 'x', '1.5', 'NaN', ['1', '2']])('takes no number from %j', (n) => {
    expect(validates('querystring', schema, { n })).toBe(false)
  })

  // The validator reads "Infinity" as a number; only a bound keeps it from a query's LIMIT.
  it('finds bounds on every number that the contract takes from a path or query', () => {
    const unbounded = Object.values(endpoints)
      .flatMap((area): readonly Endpoint[] => Object.values(area))
      .flatMap((endpoint) =>
        [endpoint.params, endpoint.query].flatMap((part) =>
          Object.entries(
            (part as { properties?: Record<string, Field> } | undefined)?.properties ?? {},
          )
            .filter(([, { type, minimum, maximum }]) => {
              const isNumber = [type].flat().some((one) => one === 'number' || one === 'integer')
              return isNumber && (minimum === undefined || maximum === undefined)
            })
            .map(([name]) => `${endpoint.method} ${endpoint.path} ${name}`),
        ),
      )
    expect(unbounded).toEqual([])
  })

  it('takes no text for a number in a body', () => {
    expect(validates('body', schema, { n: '12' })).toBe(false)
    expect(validates('body', schema, { n: 12 })).toBe(true)
  })

  it('fills in defaults', () => {
    const query = {}
    validates('querystring', { type: 'object', properties: { n: { default: 50 } } }, query)
    expect(query).toEqual({ n: 50 })
  })

  it('counts characters, not code units', () => {
    expect(validates('body', { type: 'string', maxLength: 2 }, '🏰🏰')).toBe(true)
    expect(validates('body', { type: 'string', maxLength: 2 }, '🏰🏰x')).toBe(false)
  })

  it.each([
    ['2026-01-31T12:00:00Z', true],
    ['2026-01-31T12:00:00.123+02:00', true],
    ['2026-02-30T12:00:00Z', false],
    ['2026-01-31', false],
    ['2026-01-31T12:00:00', false],
  ])('knows whether %s is a time', (text, right) => {
    expect(validates('body', { type: 'string', format: 'date-time' }, text)).toBe(right)
  })
})

describe('isStorableText', () => {
  it.each([
    ['plain', true],
    ['🏰', true],
    ['\u{10ffff}', true],
    ['\ufffd', true],
    ['a\u0000b', false],
    ['\ud83c', false],
    ['\udff0', false],
    ['\udff0\ud83c', false],
    ['🏰\ud83c', false],
  ])('judges %j as %s', (text, right) => {
    expect(isStorableText(text)).toBe(right)
  })
})

describe('findUnstorable', () => {
  it('names where the text stands', () => {
    expect(findUnstorable('\u0000')).toBe('')
    expect(findUnstorable({ a: 'fine', b: { c: ['x', '\ud800'] } })).toBe('b.c.1')
  })

  it('looks at names too', () => {
    expect(findUnstorable({ 'a\u0000': 1 })).toBe('a field name')
    expect(findUnstorable({ a: { '\ud800': 1 } })).toBe('a field name in a')
  })

  it('finds nothing in what is fine', () => {
    expect(findUnstorable({ a: [1, null, true, 'text', {}] })).toBeUndefined()
    expect(findUnstorable(undefined)).toBeUndefined()
  })

  it('does not follow nesting without end', () => {
    let deep: unknown = '\u0000'
    for (let i = 0; i < 50_000; i++) deep = [deep]
    expect(findUnstorable(deep)).toBeUndefined()
  })
})
