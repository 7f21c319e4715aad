import { describe, expect, it } from 'vitest'
import { checkNodeVersion } from './node-version.ts'

describe('checkNodeVersion', () => {
  it.each([
    ['18.20.0', '2026-01-01', 'fail'],
    ['20.18.9', '2026-01-01', 'fail'],
    ['20.19.0', '2026-01-01', 'ok'],
    ['20.19.0', '2026-03-01', 'warn'],
    ['20.19.0', '2026-04-30', 'warn'],
    ['20.19.0', '2026-05-01', 'warn'],
    ['23.1.0', '2026-01-01', 'warn'],
    ['24.0.0', '2026-01-01', 'ok'],
    ['30.0.0', '2030-01-01', 'ok'],
  ])('finds %s on %s: %s', (version, day, status) => {
    expect(checkNodeVersion(version, Date.parse(`${day}T12:00:00Z`)).status).toBe(status)
  })

  it('says since when there are no fixes', () => {
    expect(checkNodeVersion('20.19.0', Date.parse('2026-05-02')).detail).toContain('2026-04-30')
  })
})
