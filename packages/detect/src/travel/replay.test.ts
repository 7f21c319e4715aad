import { expect, test } from 'vitest'
import { cities } from '../../testing/cities.ts'
import { measureDetections } from '../../testing/measure-detections.ts'
import { haversineKm } from '../geo/haversine.ts'
import { detectTravel } from './detect-travel.ts'

const start = Date.UTC(2026, 2, 2)

/** Pairs of cities over 2,000 km apart whose journey of 59 minutes is missed. */
function missed(data: 'city' | 'country'): string[] {
  const found: string[] = []
  for (const from of cities) {
    for (const to of cities) {
      const isHidden = data === 'country' && from.country === to.country
      if (isHidden || haversineKm(from, to) <= 2000) continue
      const seen = (city: typeof from) => (data === 'city' ? city : { country: city.country })
      const { state } = detectTravel(undefined, { at: start, ip: '81.1.1.1', ...seen(from) })
      const later = { at: start + 59 * 60_000, ip: '82.1.1.1', ...seen(to) }
      if (detectTravel(state, later).detection === undefined) found.push(`${from.city}-${to.city}`)
    }
  }
  return found
}

test.each(['city', 'country'] as const)(
  'with %s data every journey over 2,000 km in under an hour is found, whatever the cities',
  (data) => {
    expect(missed(data)).toEqual([])
  },
)

test.each(['city', 'country'] as const)(
  'with %s data honest users raise at most one alarm per 1,000 days, and every planted journey one',
  (data) => {
    const figures = measureDetections({ users: 100, days: 30, seed: 7, data })
    expect(figures.found).toBe(figures.planted)
    expect(figures.mediumPer1000).toBeLessThanOrEqual(1)
  },
)
