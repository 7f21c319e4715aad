import { describe, expect, it } from 'vitest'
import { createEventFilter } from './event-filter.ts'

const event = { type: 'auth.login', severity: 'HIGH' } as const

describe('createEventFilter', () => {
  it.each([
    [[], []],
    [['auth.login'], []],
    [['auth.*'], []],
    [['*.login'], []],
    [['*'], []],
    [['a**n'], []],
    [['other', 'auth.login'], []],
    [[], ['HIGH']],
    [[], ['LOW', 'HIGH']],
    [['auth.*'], ['HIGH']],
  ])('lets pass: types %j, severities %j', (types, severities) => {
    expect(createEventFilter(types, severities)(event)).toBe(true)
  })

  it.each([
    [['auth'], []],
    [['login'], []],
    [['auth_login'], []],
    [['authxlogi?'], []],
    [['auth.+'], []],
    [[], ['LOW']],
    [['auth.*'], ['LOW']],
    [['shield.*'], ['HIGH']],
  ])('keeps back: types %j, severities %j', (types, severities) => {
    expect(createEventFilter(types, severities)(event)).toBe(false)
  })
})
