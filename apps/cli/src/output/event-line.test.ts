import type { SecurityEvent } from '@merlon/client'
import { describe, expect, it } from 'vitest'
import { eventLine } from './event-line.ts'

const event: SecurityEvent = {
  id: 'evt_1',
  appId: 'app_1',
  type: 'auth.login',
  module: 'auth',
  severity: 'HIGH',
  title: 'Signed in',
  description: null,
  ip: null,
  userId: null,
  country: null,
  city: null,
  asn: null,
  payload: null,
  timestamp: '2026-01-01T00:00:00.000Z',
  receivedAt: '2026-01-01T00:00:00.000Z',
}
const plain = (_color: string, text: string) => text

describe('eventLine', () => {
  it('tells when, how bad, what', () => {
    expect(eventLine(event, plain).split(/ {2,}/)).toEqual([
      '2026-01-01T00:00:00.000Z',
      'HIGH',
      'auth.login',
      'Signed in',
    ])
  })

  it('tells from where and of whom, where that is known', () => {
    const line = eventLine({ ...event, ip: '192.0.2.1', country: 'DE', userId: 'u' }, plain)
    expect(line).toMatch(/Signed in {2}ip=192\.0\.2\.1 {2}country=DE {2}user=u$/)
  })

  it('stays on one line whatever an attacker sends', () => {
    const line = eventLine({ ...event, title: 'a\n\u001B[2Jb', userId: 'x\ry' }, plain)
    expect(line).toMatch(/a\[2Jb {2}user=xy$/)
  })
})
