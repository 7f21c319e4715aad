import { fieldMatcher } from '@merlon/base'
import { describe, expect, it } from 'vitest'
import { cleanPayload, storable } from './clean-payload.ts'

const isSensitive = fieldMatcher(['email', 'ssn'])
const clean = (payload: object) => cleanPayload(payload, isSensitive)
const nested = (levels: number): object =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object

describe('storable', () => {
  it.each([
    ['plain', 'plain'],
    ['whole 😀 pair', 'whole 😀 pair'],
    ['nul\0', 'nul\ufffd'],
    ['\ud83d', '\ufffd'],
    ['\ude00\ud83d', '\ufffd\ufffd'],
    ['\ud83d\ud83d\ude00\ude00', '\ufffd😀\ufffd'],
  ])('turns %j into %j', (given, kept) => {
    expect(storable(given)).toBe(kept)
  })
})

describe('a payload', () => {
  it('keeps its values, whatever their kind', () => {
    const payload = { a: 1, b: 'x', c: [true, null, { d: 1.5 }], e: {} }
    expect(clean(payload)).toEqual({ clean: payload, tooDeep: false })
  })

  it('is masked at any depth, also where the value is an object or a list', () => {
    const payload = { email: { deep: 'a@b.c' }, list: [{ SSN: ['1', '2'] }, { user_email: 1 }] }
    expect(JSON.stringify(clean(payload).clean)).not.toMatch(/a@b|"1"/)
  })

  it('keeps a sensitive field that is null: that nothing was known is no secret', () => {
    expect(clean({ email: null }).clean).toEqual({ email: null })
  })

  it('is not changed in place', () => {
    const payload = { email: 'a@b.c' }
    clean(payload)
    expect(payload).toEqual({ email: 'a@b.c' })
  })

  it('may be eight levels deep and no deeper', () => {
    expect(clean(nested(8)).tooDeep).toBe(false)
    expect(clean(nested(9)).tooDeep).toBe(true)
  })

  it('has lists counted as levels too', () => {
    expect(clean({ a: [[[[[[[1]]]]]]] }).tooDeep).toBe(false)
    expect(clean({ a: [[[[[[[[1]]]]]]]] }).tooDeep).toBe(true)
  })

  it('has the names of its fields made storable', () => {
    expect(clean({ 'a\0': 1 }).clean).toEqual({ 'a\ufffd': 1 })
  })
})
