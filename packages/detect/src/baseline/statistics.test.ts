import { expect, test } from 'vitest'
import { poissonUpper, spreadOf, weightedMedian } from './statistics.ts'

test('the median of one group is its middle', () => {
  expect(weightedMedian([{ values: [5, 1, 9], weight: 1 }])).toBe(5)
})

test('a heavier group pulls the median', () => {
  const light = { values: [1, 1, 1], weight: 0.5 }
  expect(weightedMedian([light, { values: [7, 7], weight: 1 }])).toBe(7)
})

test('nothing has the median zero', () => {
  expect(weightedMedian([])).toBe(0)
})

test('one wild value does not change the spread', () => {
  const calm = spreadOf([{ values: [10, 11, 12, 13, 14], weight: 1 }])
  const wild = spreadOf([{ values: [10, 11, 12, 13, 9999], weight: 1 }])
  expect(wild).toEqual(calm)
})

test('the spread of normal samples is their standard deviation', () => {
  const values = Array.from({ length: 999 }, (_, index) => {
    const share = (index + 1) / 1000
    // Inverse of the logistic curve, whose quantiles are close to the normal ones.
    return Math.log(share / (1 - share)) / 1.702
  })
  expect(spreadOf([{ values, weight: 1 }]).mad).toBeCloseTo(0.96, 1)
})

test('a Poisson count of mean three stays below its bound but for one in 100,000', () => {
  expect(poissonUpper(3, 1e-5)).toBe(13)
})

test('the bound of a large mean is near the normal one', () => {
  expect(poissonUpper(10_000, 1e-5)).toBe(10_450)
})

test('of nothing comes nothing', () => {
  expect(poissonUpper(0, 1e-5)).toBe(0)
})
