import { expect, test } from 'vitest'
import { hasPlace, networkOf } from './address.ts'
import { classifyNetwork } from './asn-class.ts'

test.each(['10.0.0.1', '192.168.1.1', '127.0.0.1', '100.64.3.2', '::1', 'fd00::1', 'nonsense'])(
  '%s has no place on a map',
  (ip) => {
    expect(hasPlace(ip)).toBe(false)
  },
)

test.each(['8.8.8.8', '2a00:1450::1', '203.0.113.9'])('%s may have a place', (ip) => {
  expect(hasPlace(ip)).toBe(true)
})

test('the network of an IPv4 address is its /24', () => {
  expect(networkOf('81.2.69.160')).toBe('81.2.69.0/24')
})

test('the network of an IPv6 address is its /64', () => {
  expect(networkOf('2a00:1450:4001:82a::200e')).toBe('2a00:1450:4001:82a::/64')
})

test('a mapped IPv4 address is in the same network as the plain one', () => {
  expect(networkOf('::ffff:81.2.69.160')).toBe('81.2.69.0/24')
})

test.each([
  [9009, undefined, 'vpn'],
  [16276, undefined, 'hosting'],
  [21928, undefined, 'mobile'],
  [14593, undefined, 'satellite'],
  [3320, 'Deutsche Telekom AG', 'access'],
  [99_999, 'Example VPN Ltd', 'vpn'],
  [99_999, 'Example Mobile LLC', 'mobile'],
  [99_999, 'Best Hosting GmbH', 'hosting'],
] as const)('AS%s %s is %s', (asn, name, expected) => {
  expect(classifyNetwork(asn, name)).toBe(expected)
})
