import { describe, expect, it } from 'vitest'
import { matchesAny } from './match-type.ts'

describe('the pattern of an event type', () => {
  it.each([
    ['*', 'auth.login'],
    ['auth.*', 'auth.login'],
    ['auth.*', 'auth.'],
    ['*.blocked', 'shield.sql.blocked'],
    ['a*b*c', 'a.b.b.c'],
    ['auth.login', 'auth.login'],
    ['**', 'x'],
  ])('%s fits %s', (pattern, type) => {
    expect(matchesAny([pattern], type)).toBe(true)
  })

  it.each([
    ['auth.*', 'xauth.login'],
    ['auth.*', 'auth'],
    ['*.blocked', 'shield.blocked.not'],
    ['auth.login', 'auth.login.failed'],
    ['Auth.*', 'auth.login'],
    ['a*b*c', 'a.c.b'],
    ['auth?login', 'auth.login'],
  ])('%s does not fit %s', (pattern, type) => {
    expect(matchesAny([pattern], type)).toBe(false)
  })

  it('is enough if one of several fits', () => {
    expect(matchesAny(['scan.*', 'auth.*'], 'auth.login')).toBe(true)
    expect(matchesAny(['scan.*', 'shield.*'], 'auth.login')).toBe(false)
  })

  it('takes no longer for a nasty pattern than for a long one', () => {
    const pattern = `${'a*'.repeat(49)}b`
    const started = performance.now()
    for (let i = 0; i < 1_000; i++) matchesAny([pattern], 'a'.repeat(100))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
