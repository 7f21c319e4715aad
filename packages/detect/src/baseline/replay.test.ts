import { expect, test } from 'vitest'
import { measureBaseline } from '../../testing/measure-baseline.ts'

test.each([
  [120, 0.15, 0.4],
  [2000, 0.6, 0.9],
  [50_000, 0.7, 0.95],
])(
  'at %s requests an hour honest weeks raise at most one false alarm each, and surges are found',
  (requestsPerHour, least3x, least5x) => {
    const figures = measureBaseline({ requestsPerHour, runs: 1, weeks: 1, seed: 2, routes: 4 })
    expect(figures.falsePerWeek).toBeLessThanOrEqual(1)
    expect(figures.found3x).toBeGreaterThanOrEqual(least3x)
    expect(figures.found5x).toBeGreaterThanOrEqual(least5x)
  },
)
