import { describe, expect, it } from 'vitest'
import { isoTime, pastTime } from './time.ts'

const nowMs = Date.parse('2026-03-10T12:00:00Z')

describe('pastTime', () => {
  it.each([
    ['45s', '2026-03-10T11:59:15.000Z'],
    ['30m', '2026-03-10T11:30:00.000Z'],
    ['24h', '2026-03-09T12:00:00.000Z'],
    ['7d', '2026-03-03T12:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00+02:00', '2026-01-31T10:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(pastTime(text, nowMs)).toBe(expected)
  })

  it.each(['', 'soon', '7w', '-1h'])('refuses %j', (text) => {
    expect(() => pastTime(text, nowMs)).toThrow('is no time')
  })
})

describe('isoTime', () => {
  it('does not take how long ago', () => {
    expect(() => isoTime('24h')).toThrow('is no time')
  })
})
