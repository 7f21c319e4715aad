import { expect, test } from 'vitest'
import { RecentPlaces } from './recent-places.ts'

test('never holds more than its capacity', () => {
  const recent = new RecentPlaces(100)
  let most = 0
  for (let index = 0; index < 10_000; index += 1) {
    recent.set(`ip${index}`, { asn: index })
    most = Math.max(most, recent.size)
  }
  expect(most).toBe(100)
})

test('keeps what is asked for again while others pass by', () => {
  const recent = new RecentPlaces(100)
  recent.set('hot', { asn: 1 })
  for (let index = 0; index < 10_000; index += 1) {
    recent.set(`ip${index}`, { asn: index })
    expect(recent.get('hot')).toEqual({ asn: 1 })
  }
})

test('forgets what nobody asked for again', () => {
  const recent = new RecentPlaces(100)
  recent.set('cold', { asn: 1 })
  for (let index = 0; index < 100; index += 1) recent.set(`ip${index}`, { asn: index })
  expect(recent.get('cold')).toBeUndefined()
})

test('remembers nothing with a capacity of 0', () => {
  const recent = new RecentPlaces(0)
  recent.set('ip', { asn: 1 })
  expect(recent.get('ip')).toBeUndefined()
})
