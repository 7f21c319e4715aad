import { describe, expect, it } from 'vitest'
import { storedEvent } from '../../../testing/stored-event.ts'
import { countEvents } from './counts.ts'

const HOUR = Date.UTC(2026, 0, 5, 10)
const hourNumber = HOUR / 3_600_000

describe('the counts of a batch', () => {
  it('are kept apart by app', () => {
    const counts = countEvents([storedEvent({ appId: 'a' }), storedEvent({ appId: 'b' })])
    expect([...counts.keys()]).toEqual(['a', 'b'])
  })

  it('add up equal events of one hour', () => {
    const events = [0, 1, 3_599_999].map((ms) => storedEvent({ at: HOUR + ms }))
    expect(countEvents(events).get('app')).toContainEqual([hourNumber, 'total', '', 3])
  })

  it('put an event on the border into the hour that begins', () => {
    const events = [HOUR - 1, HOUR].map((at) => storedEvent({ at }))
    const totals = countEvents(events)
      .get('app')
      ?.filter(([, dimension]) => dimension === 'total')
    expect(totals).toEqual([
      [hourNumber - 1, 'total', '', 1],
      [hourNumber, 'total', '', 1],
    ])
  })

  it.each([
    ['request.blocked', 1],
    ['a.b.blocked', 1],
    ['blocked', 0],
    ['request.blocked.later', 0],
    ['request.unblocked', 0],
  ])('take %s as blocked: %i', (type, n) => {
    const counts = countEvents([storedEvent({ type })]).get('app') ?? []
    expect(counts.filter(([, dimension]) => dimension === 'blocked')).toHaveLength(n)
  })

  it('have a country and an attack only where one is known', () => {
    const counts = countEvents([storedEvent({ country: null, attackType: null })]).get('app') ?? []
    expect(counts.map(([, dimension]) => dimension)).not.toContain('country')
    expect(counts.map(([, dimension]) => dimension)).not.toContain('attack')
  })

  it('do not confuse a key that holds a space with another dimension', () => {
    const counts = countEvents([storedEvent({ type: 'x' }), storedEvent({ type: 'x 1' })])
    expect(
      counts.get('app')?.filter(([, dimension, , n]) => dimension === 'type' && n === 1),
    ).toHaveLength(2)
  })
})
