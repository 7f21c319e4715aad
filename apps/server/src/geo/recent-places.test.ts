import { expect, test } from 'vitest'
import { RecentPlaces } from './recent-places.ts'

const address = (index: number): string => `8.${index >> 16}.${(index >> 8) & 255}.${index & 255}`

test('never holds more than its capacity', () => {
  const recent = new RecentPlaces(1024)
  for (let index = 0; index < 100_000; index += 1) recent.set(address(index), { asn: index })
  expect(recent.size).toBe(1024)
})

test('spreads addresses that lie next to each other, so that most of its capacity is used', () => {
  const recent = new RecentPlaces(65_536)
  for (let index = 0; index < 32_768; index += 1) recent.set(address(index), { asn: index })
  expect(recent.size).toBeGreaterThan(30_000)
})

test('keeps what is asked for again while others pass by', () => {
  const recent = new RecentPlaces(64)
  recent.set('1.1.1.1', { asn: 1 })
  for (let index = 0; index < 10_000; index += 1) {
    recent.set(address(index), { asn: index })
    if (recent.get('1.1.1.1')?.asn !== 1) throw new Error(`forgotten after ${index} others`)
  }
})

test('forgets the one on a shelf that was used longest ago', () => {
  const recent = new RecentPlaces(4)
  for (const ip of ['a', 'b', 'c', 'd']) recent.set(ip, { city: ip })
  recent.get('a')
  recent.set('e', { city: 'e' })
  expect(['a', 'b', 'c', 'd', 'e'].map((ip) => recent.get(ip)?.city)).toEqual([
    'a',
    undefined,
    'c',
    'd',
    'e',
  ])
})

test('knows nothing after it was cleared', () => {
  const recent = new RecentPlaces(64)
  recent.set('1.1.1.1', { asn: 1 })
  recent.clear()
  expect([recent.get('1.1.1.1'), recent.size]).toEqual([undefined, 0])
})

test('remembers nothing with a capacity of 0', () => {
  const recent = new RecentPlaces(0)
  recent.set('1.1.1.1', { asn: 1 })
  expect(recent.get('1.1.1.1')).toBeUndefined()
})
