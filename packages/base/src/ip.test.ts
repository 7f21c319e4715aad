import { describe, expect, it } from 'vitest'
import { isIp, parseIp, reservedRange } from './ip.ts'

describe('isIp', () => {
  it.each([
    '1.2.3.4',
    '255.255.255.255',
    '::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
    '1:2:3:4:5:6:7:8',
  ])('accepts %s', (text) => {
    expect(isIp(text)).toBe(true)
  })
  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    'g::1',
    '1.2.3.4 ',
  ])('refuses %j', (text) => {
    expect(isIp(text)).toBe(false)
  })
  it('reads a mapped IPv4 address as the IPv4 address', () => {
    expect(parseIp('::ffff:1.2.3.4')).toEqual(parseIp('1.2.3.4'))
  })
})

describe('reservedRange', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['169.254.169.254', 'link-local, where clouds keep their metadata'],
    ['fe80::1', 'link-local'],
    ['fd00::1', 'private'],
    ['0.0.0.0', 'this network'],
    ['::', 'unspecified'],
    ['::7f00:1', 'IPv4 in disguise'],
    ['2002:7f00:1::', 'tunnelled IPv4'],
    ['2001:0:1::', 'tunnelled IPv4'],
    ['fec0::1', 'private'],
  ])('calls %s %s', (ip, why) => {
    expect(reservedRange(ip)).toBe(why)
  })
  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '11.0.0.1', '100.128.0.1'])(
    'lets %s pass',
    (ip) => {
      expect(reservedRange(ip)).toBeUndefined()
    },
  )
})
