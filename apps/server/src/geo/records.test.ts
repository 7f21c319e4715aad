import { describe, expect, test } from 'vitest'
import { countryOf, locationOf, networkOf } from './records.ts'

describe('locationOf', () => {
  test('reads the nested layout of MaxMind', () => {
    expect(
      locationOf({
        country: { iso_code: 'DE', names: { en: 'Germany' } },
        city: { names: { de: 'München', en: 'Munich' } },
        location: { latitude: 48.1374, longitude: 11.5755, accuracy_radius: 20 },
      }),
    ).toEqual({ country: 'DE', city: 'Munich', lat: 48.1374, lon: 11.5755, accuracyKm: 20 })
  })

  test('reads the flat layout of ip-location-db, with coordinates as text or rough floats', () => {
    expect(
      locationOf({
        country_code: 'CA',
        city: 'Toronto (Old Toronto)',
        latitude: Math.fround(43.6532),
        longitude: '-79.3832',
      }),
    ).toEqual({ country: 'CA', city: 'Toronto', lat: 43.6532, lon: -79.3832 })
  })

  test.each([
    ['0, 0', { latitude: 0, longitude: 0 }],
    ['a latitude over the pole', { latitude: 91, longitude: 0 }],
    ['a missing longitude', { latitude: 10 }],
    ['an empty text', { latitude: '', longitude: '' }],
    ['not a number', { latitude: Number.NaN, longitude: 3 }],
  ])('takes %s for no place', (_, record) => {
    expect(locationOf(record)).toEqual({})
  })

  test.each([[undefined], [null], ['text'], [7], [[]], [{ city: { names: null } }]])(
    'finds nothing in %j',
    (record) => {
      expect(locationOf(record)).toEqual({})
    },
  )
})

describe('countryOf', () => {
  test('falls back to where the address is registered', () => {
    expect(countryOf({ registered_country: { iso_code: 'AU' } })).toBe('AU')
  })

  test.each([['ZZ'], ['de'], [''], ['DEU'], [49]])('takes %j for no country', (code) => {
    expect(countryOf({ country_code: code })).toBeUndefined()
  })
})

describe('networkOf', () => {
  test('reads number and organization', () => {
    expect(
      networkOf({
        autonomous_system_number: 13_335,
        autonomous_system_organization: 'Cloudflare, Inc.',
      }),
    ).toEqual({ asn: 13_335, asnName: 'Cloudflare, Inc.' })
  })

  test('reads a number written as "AS15169"', () => {
    expect(networkOf({ asn: 'AS15169', as_name: 'Google LLC' })).toEqual({
      asn: 15_169,
      asnName: 'Google LLC',
    })
  })

  test.each([[0], [-1], [1.5], [2 ** 32], ['AS'], [undefined]])('takes %j for no number', (asn) => {
    expect(networkOf({ asn })).toEqual({})
  })
})
