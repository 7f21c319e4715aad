import { describe, expect, it } from 'vitest'
import { createKeyring, randomToken, sameText } from './keyring.ts'

const ring = createKeyring('a secret of at least thirty-two characters')

describe('keyring', () => {
  it('opens what it sealed, in the same context only', () => {
    const sealed = ring.seal('app_1', 'the key')
    expect(ring.open('app_1', sealed)).toBe('the key')
    expect(() => ring.open('app_2', sealed)).toThrow()
  })

  it('refuses what was changed by one bit', () => {
    const sealed = ring.seal('app_1', 'the key')
    sealed[sealed.length - 1] = (sealed[sealed.length - 1] ?? 0) ^ 1
    expect(() => ring.open('app_1', sealed)).toThrow()
  })

  it('never seals to the same bytes twice', () => {
    expect(ring.seal('a', 'x').equals(ring.seal('a', 'x'))).toBe(false)
  })

  it('gives each purpose and each secret its own hash', () => {
    expect(ring.mac('session', 'x').equals(ring.mac('csrf', 'x'))).toBe(false)
    const other = createKeyring('another secret of thirty-two characters!')
    expect(ring.mac('session', 'x').equals(other.mac('session', 'x'))).toBe(false)
    expect(ring.mac('session', 'x').equals(ring.mac('session', 'x'))).toBe(true)
  })

  it('compares texts of any length', () => {
    expect(sameText('abc', 'abc')).toBe(true)
    expect(sameText('abc', 'abd')).toBe(false)
    expect(sameText('abc', 'ab')).toBe(false)
    expect(randomToken()).toMatch(/^[\w-]{43}$/)
  })
})
