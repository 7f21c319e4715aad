import { describe, expect, it } from 'vitest'
import { createKey, keyHint, keyKindOf } from './api-key.ts'

describe('API keys', () => {
  it('tell their kind', () => {
    expect(keyKindOf(createKey('account'))).toBe('account')
    expect(keyKindOf(createKey('app'))).toBe('app')
  })

  it('are recognised as mistyped when any one character changes', () => {
    const key = createKey('account')
    let refused = 0
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x'
      if (keyKindOf(key.slice(0, i) + other + key.slice(i + 1)) === undefined) refused++
    }
    expect(refused).toBe(key.length)
  })

  it.each([
    '',
    'mln_live_',
    'mln_live_short',
    `${createKey('app')} `,
    'mln_live_' + '0'.repeat(37),
  ])('refuse the shape %j', (text) => {
    expect(keyKindOf(text)).toBeUndefined()
  })

  it('are shown afterwards by a hint that is no key', () => {
    const key = createKey('app')
    expect(keyHint(key)).toMatch(/^mlnapp_live_[0-9A-Za-z]{4}…$/)
    expect(key.startsWith(keyHint(key).slice(0, -1))).toBe(true)
  })
})
