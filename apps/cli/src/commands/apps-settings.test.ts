import { describe, expect, it } from 'vitest'
import { parseAssignment, settingsUpdate } from './apps-settings.ts'

const current = {
  scanner: { blockOnCritical: true, blockOnHigh: false, scanOnPush: true },
  shield: { mode: 'permissive' as const, botDetection: true },
  vault: { sensitiveFields: ['email'], keyRotationDays: 90 },
  monitor: { eventRetentionDays: 90 },
}
const update = (...changes: string[]) => settingsUpdate(changes.map(parseAssignment), current)

describe('settingsUpdate', () => {
  it.each([
    ['shield.mode=strict', { shield: { mode: 'strict' } }],
    ['shield.botDetection=false', { shield: { botDetection: false } }],
    ['monitor.eventRetentionDays=30', { monitor: { eventRetentionDays: 30 } }],
    ['vault.sensitiveFields=email, iban', { vault: { sensitiveFields: ['email', 'iban'] } }],
    ['vault.sensitiveFields=["a,b"]', { vault: { sensitiveFields: ['a,b'] } }],
    ['vault.sensitiveFields=', { vault: { sensitiveFields: [] } }],
    ['shield.mode=1', { shield: { mode: '1' } }],
    ['shield.unheard=of', { shield: { unheard: 'of' } }],
  ])('reads %s', (change, expected) => {
    expect(update(change)).toEqual(expected)
  })

  it('gathers several changes of one section', () => {
    expect(update('shield.mode=off', 'shield.botDetection=true')).toEqual({
      shield: { mode: 'off', botDetection: true },
    })
  })

  it('cannot be made to touch a prototype', () => {
    update('__proto__.polluted=true')
    expect('polluted' in {}).toBe(false)
  })
})

describe('parseAssignment', () => {
  it.each(['', 'mode=strict', 'shield.mode', 'a.b.c=d', '.=x'])('refuses %j', (text) => {
    expect(() => parseAssignment(text)).toThrow('shield.mode=strict')
  })
})
