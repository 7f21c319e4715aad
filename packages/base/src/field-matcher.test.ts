import { describe, expect, it } from 'vitest'
import { fieldMatcher } from './field-matcher.ts'

describe('fieldMatcher', () => {
  it('sees through case, dashes and underscores', () => {
    const matches = fieldMatcher(['creditCard', 'email'])
    expect(['credit_card', 'Credit-Card', 'EMAIL', 'e_mail'].map(matches)).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('leaves names alone that only contain the word', () => {
    expect(fieldMatcher(['email'])('emailVerified')).toBe(false)
  })

  it('matches nothing for no names', () => {
    expect(fieldMatcher([])('')).toBe(false)
  })
})
