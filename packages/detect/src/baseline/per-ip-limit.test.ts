import { expect, test } from 'vitest'
import { countPerIp, emptyPerIp, guardPerIp, perIpLimit, type PerIpState } from './per-ip-limit.ts'

const day = 86_400_000
const many = (value: number, times: number) => Array<number>(times).fill(value)

test('without data there is no limit', () => {
  expect(perIpLimit(emptyPerIp, 60)).toBeUndefined()
})

test('quiet addresses are given the floor', () => {
  expect(perIpLimit(countPerIp(emptyPerIp, many(3, 1000)), 60)).toBe(60)
})

test('busy addresses are given twice their usual top', () => {
  const limit = perIpLimit(countPerIp(emptyPerIp, many(200, 1000)), 60) ?? 0
  expect(limit).toBeGreaterThanOrEqual(400)
  expect(limit).toBeLessThan(450)
})

test('a few wild minutes do not raise the limit', () => {
  const state = countPerIp(emptyPerIp, [...many(200, 1000), ...many(90_000, 4)])
  expect(perIpLimit(state, 60)).toBeLessThan(450)
})

test('the limit rises by a tenth per day at most', () => {
  let state: PerIpState = guardPerIp(countPerIp(emptyPerIp, many(200, 1000)), 0, 60)
  const before = perIpLimit(state, 60) ?? 0
  state = guardPerIp(countPerIp(state, many(2000, 5000)), day, 60)
  expect((perIpLimit(state, 60) ?? 0) / before).toBeLessThan(1.11)
})

test('old minutes fade', () => {
  let state = countPerIp(emptyPerIp, many(200, 20_000))
  for (let hour = 0; hour < 2000; hour++) state = countPerIp(state, many(20, 60))
  expect(state.count).toBeLessThan(25_000)
  expect(perIpLimit(state, 10)).toBeLessThan(60)
})
