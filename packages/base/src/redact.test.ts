import { describe, expect, it } from 'vitest'
import { redactFields } from './redact.ts'

describe('redactFields', () => {
  it('masks a field at any depth and inside arrays', () => {
    const value = { email: 'a@b.c', user: { Email: 'x', list: [{ email: { nested: 1 }, ok: 2 }] } }
    expect(redactFields(value, ['email'])).toEqual({
      email: '[redacted]',
      user: { Email: '[redacted]', list: [{ email: '[redacted]', ok: 2 }] },
    })
  })

  it('sees through case, dashes and underscores', () => {
    expect(redactFields({ credit_card: 1, 'Credit-Card': 2 }, ['creditCard'])).toEqual({
      credit_card: '[redacted]',
      'Credit-Card': '[redacted]',
    })
  })

  it('leaves fields alone whose names only contain the word', () => {
    expect(redactFields({ emailVerified: true }, ['email'])).toEqual({ emailVerified: true })
  })

  it('leaves the input as it was', () => {
    const value = { ssn: '1' }
    redactFields(value, ['ssn'])
    expect(value).toEqual({ ssn: '1' })
  })

  it('masks what is nested too deep to look at', () => {
    let value: unknown = { email: 'deep' }
    for (let i = 0; i < 40; i++) value = { a: value }
    expect(JSON.stringify(redactFields(value, ['email']))).not.toContain('deep')
  })

  it('keeps a field called __proto__ as data', () => {
    const value: unknown = JSON.parse('{"a":{"constructor":{"email":"x"}}}')
    expect(JSON.stringify(redactFields(value, ['email']))).not.toContain('"x"')
  })
})
