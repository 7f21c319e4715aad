import { expect, test } from 'vitest'
import { cities } from '../../testing/cities.ts'
import { countryDiscs, knownCountries } from './countries.ts'
import { haversineKm } from './haversine.ts'

test('all 249 countries of ISO 3166 and Kosovo are known', () => {
  expect(knownCountries()).toHaveLength(250)
})

test('every code is two capital letters', () => {
  expect(knownCountries().filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([])
})

test('every circle lies on the earth', () => {
  const bad = knownCountries().filter((code) =>
    (countryDiscs(code) ?? []).some(
      ([lat, lon, radius, weight]) =>
        !(Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && radius > 0 && weight > 0),
    ),
  )
  expect(bad).toEqual([])
})

test('the circles of a country hold its people', () => {
  const sums = knownCountries().map((code) =>
    (countryDiscs(code) ?? []).reduce((sum, disc) => sum + disc[3], 0),
  )
  expect(sums.filter((sum) => Math.abs(sum - 100) > 1)).toEqual([])
})

test('large cities lie within a circle of their country or close by', () => {
  const outside = cities.filter(({ country, lat, lon }) =>
    (countryDiscs(country) ?? []).every(
      (disc) => haversineKm({ lat: disc[0], lon: disc[1] }, { lat, lon }) > disc[2] * 2 + 100,
    ),
  )
  expect(outside.map(({ city }) => city)).toEqual([])
})

test('a code is found in any case, and an invented one is not', () => {
  expect(countryDiscs('de')).toBe(countryDiscs('DE'))
  expect(countryDiscs('ZZ')).toBeUndefined()
})
