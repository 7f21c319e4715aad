import { expect, test } from 'vitest'
import { placeOf, separationOf, type Located, type Place } from './place.ts'

function place(located: Located): Place {
  const found = placeOf(located)
  if (found === undefined) throw new Error('no place')
  return found
}

test('coordinates win over the country', () => {
  expect(place({ country: 'US', lat: 40.7, lon: -74 }).lat).toBe(40.7)
})

test('a country that does not exist is no place', () => {
  expect(placeOf({ country: 'XX' })).toBeUndefined()
})

test('coordinates off the globe are no place', () => {
  expect(placeOf({ lat: 91, lon: 0 })).toBeUndefined()
  expect(placeOf({ lat: Number.NaN, lon: 0 })).toBeUndefined()
})

test('accuracy radii shorten the distance', () => {
  const wide = separationOf(
    place({ lat: 0, lon: 0, accuracyKm: 200 }),
    place({ lat: 0, lon: 10, accuracyKm: 100 }),
  )
  expect(wide.nearestKm).toBeCloseTo(1112 - 300, 0)
})

test('neighbours with a land border come as near as zero', () => {
  expect(separationOf(place({ country: 'US' }), place({ country: 'CA' })).nearestKm).toBe(0)
})

test('the United States and Russia stay an ocean apart', () => {
  const { nearestKm } = separationOf(place({ country: 'US' }), place({ country: 'RU' }))
  expect(nearestKm).toBeGreaterThan(2000)
})

test('Australia and New Zealand stay a sea apart', () => {
  const { nearestKm } = separationOf(place({ country: 'AU' }), place({ country: 'NZ' }))
  expect(nearestKm).toBeGreaterThan(1000)
})

test('the options of where two people could be add up to one', () => {
  const { options } = separationOf(place({ country: 'BR' }), place({ country: 'CN' }))
  expect(options.reduce((sum, option) => sum + option.weight, 0)).toBeCloseTo(1)
})
