import { expect, test } from 'vitest'
import { haversineKm } from './haversine.ts'

test('Berlin to Sydney is about 16,090 km', () => {
  const km = haversineKm({ lat: 52.52, lon: 13.405 }, { lat: -33.869, lon: 151.209 })
  expect(Math.abs(km - 16_090)).toBeLessThan(30)
})

test('the date line is no barrier', () => {
  expect(haversineKm({ lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 })).toBeCloseTo(111.2, 0)
})

test('opposite points are half the circumference apart', () => {
  expect(haversineKm({ lat: 0, lon: 0 }, { lat: 0, lon: 180 })).toBeCloseTo(20_015, 0)
})
