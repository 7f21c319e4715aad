import { expect, it } from 'vitest'
import { retryDelayMs } from './backoff.ts'

it('doubles from one second to ten minutes', () => {
  const delays = [1, 2, 3, 4, 10, 11, 500].map((attempt) => retryDelayMs(attempt, () => 0))
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 512_000, 600_000, 600_000])
})

it('takes off up to a half at random', () => {
  expect(retryDelayMs(3, () => 0.5)).toBe(3_000)
  expect(retryDelayMs(3, () => 0.999_999)).toBe(2_000)
})
