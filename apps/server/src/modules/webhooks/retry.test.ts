import { describe, expect, it } from 'vitest'
import { pauseMs, retryDelayMs } from './retry.ts'

const DAY_MS = 86_400_000

function allDelays(random: () => number): number[] {
  const delays: number[] = []
  for (let attempt = 1; ; attempt++) {
    const delay = retryDelayMs(attempt, random)
    if (delay === undefined) return delays
    delays.push(delay)
  }
}

describe('the retries of a delivery', () => {
  it('begin after five seconds and never come faster than the one before', () => {
    const delays = allDelays(() => 0)
    expect(delays.slice(0, 4)).toEqual([5_000, 30_000, 120_000, 600_000])
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
  })

  it.each([0, 0.5, 0.999])('last about three days with the chance %d', (chance) => {
    const total = allDelays(() => chance).reduce((sum, delay) => sum + delay, 0)
    expect(total).toBeGreaterThan(2.5 * DAY_MS)
    expect(total).toBeLessThan(3.2 * DAY_MS)
  })

  it('are spread by up to a twentieth', () => {
    expect(retryDelayMs(1, () => 0.999)).toBe(5_250)
  })
})

describe('the pause of a failing webhook', () => {
  it('grows with each failure up to ten minutes', () => {
    expect([1, 2, 3, 4, 5, 100].map(pauseMs)).toEqual([
      5_000, 30_000, 120_000, 600_000, 600_000, 600_000,
    ])
  })
})
