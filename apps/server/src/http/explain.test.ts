import { endpoints } from '@merlon/contract'
import type { FastifySchemaValidationError } from 'fastify'
import { describe, expect, it } from 'vitest'
import { explain } from './explain.ts'
import { compileValidator } from './validation.ts'

/** What the caller is told of this value under this schema. */
function sentenceFor(schema: object, value: unknown, where = 'body'): string {
  const validate = compileValidator({
    schema,
    method: 'POST',
    url: '/',
    httpPart: where,
  }) as ((given: unknown) => boolean) & { errors?: FastifySchemaValidationError[] }
  return validate(value) ? 'valid' : explain(validate.errors ?? [], where)
}

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

describe('explain', () => {
  it.each<[string, object, unknown, string]>([
    ['a wrong type', { type: 'string' }, 1, 'a must be a string.'],
    ['a wrong number', { type: 'number' }, '1', 'a must be a number.'],
    ['half a number', { type: 'integer' }, 1.5, 'a must be a whole number.'],
    ['no boolean', { type: 'boolean' }, 'yes', 'a must be true or false.'],
    ['no list', { type: 'array' }, {}, 'a must be a list.'],
    ['no object', { type: 'object' }, [], 'a must be a JSON object.'],
    ['one of two types', { type: ['string', 'null'] }, 1, 'a must be a string or null.'],
    ['an empty text', { type: 'string', minLength: 1 }, '', 'a must not be empty.'],
    ['a short text', { minLength: 12 }, 'x', 'a must have at least 12 characters.'],
    ['a long text', { maxLength: 2 }, 'xyz', 'a must have at most 2 characters.'],
    ['too little', { minimum: 1 }, 0, 'a must be at least 1.'],
    ['too much', { maximum: 9 }, 10, 'a must be at most 9.'],
    ['too few', { minItems: 1 }, [], 'a must have at least 1 entries.'],
    ['too many', { maxItems: 1 }, [1, 2], 'a must have at most 1 entries.'],
    ['one twice', { uniqueItems: true }, [1, 1], 'a must not name the same value twice.'],
    ['no such word', { enum: ['on', 'off'] }, 'of', 'a must be one of on, off.'],
    [
      'no time',
      { type: 'string', format: 'date-time' },
      'now',
      'a must be a date and time such as 2026-01-31T12:00:00Z.',
    ],
    ['blank text', { pattern: '\\S' }, '  ', 'a must contain a visible character.'],
    ['another pattern', { pattern: '^[a-z]+$' }, '1', 'a must match ^[a-z]+$.'],
    ['another check', { multipleOf: 2 }, 3, 'a is not valid: it must be multiple of 2.'],
  ])('names the field and what would be right: %s', (_what, schema, value, sentence) => {
    expect(sentenceFor(object({ a: schema }), { a: value })).toBe(sentence)
  })

  it('names a field that is missing, and one that is unknown, with its path', () => {
    const schema = object({ a: object({ b: {} }, { required: ['b'] }) }, { required: ['a'] })
    expect(sentenceFor(schema, {})).toBe('a is required.')
    expect(sentenceFor(schema, { a: {} })).toBe('a.b is required.')
    expect(sentenceFor(schema, { a: { b: 1, c: 1 } })).toBe('a.c is not a known field.')
    expect(sentenceFor(schema, { a: { b: 1 }, d: 1 })).toBe('d is not a known field.')
  })

  it('counts the entries of a list', () => {
    const schema = object({ a: { type: 'array', items: { type: 'string' } } })
    expect(sentenceFor(schema, { a: ['x', 7] })).toBe('a.1 must be a string.')
  })

  it('names the part where no field is at fault', () => {
    expect(sentenceFor(object({}), 'text')).toBe('The body must be a JSON object.')
    expect(explain([], 'query')).toBe('The query is not valid.')
  })

  it('knows the forms that the contract uses', () => {
    const { params } = endpoints.apps.getApp
    expect(sentenceFor(params, { id: 'x' }, 'params')).toBe(
      'id must be an id that begins with app_.',
    )
    expect(sentenceFor(endpoints.apps.createApp.body, { name: 'x', githubRepo: 'y' })).toBe(
      'githubRepo must have the form owner/repo.',
    )
    expect(sentenceFor(endpoints.users.createUser.body, { email: 'x' })).toBe(
      'email must be an e-mail address.',
    )
  })

  it('reads a name with a slash or a tilde back from its pointer', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } }
    expect(sentenceFor(schema, { 'a/b~c': 1 })).toBe('a/b~c must be a string.')
  })

  it('quotes no more of a long name than tells which it is, and whole characters', () => {
    const long = sentenceFor(object({}), { ['n'.repeat(5_000)]: 1 })
    expect(long).toBe(`${'n'.repeat(60)}… is not a known field.`)
    const wide = sentenceFor(object({}), { [`n${'🏰'.repeat(100)}`]: 1 })
    expect(wide).toBe(`n${'🏰'.repeat(59)}… is not a known field.`)
  })
})
