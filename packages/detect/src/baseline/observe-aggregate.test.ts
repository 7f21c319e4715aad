import { expect, test } from 'vitest'
import type { TrafficAggregate } from './aggregate.ts'
import { closeWindows, observeAggregate } from './observe-aggregate.ts'
import type { BaselineState } from './state.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 2, 9)

function aggregate(index: number, requests: number, ips = 3): TrafficAggregate {
  const route = {
    route: 'GET /',
    requests,
    errors4xx: 0,
    errors5xx: 0,
    authFailures: 0,
    distinctIps: ips,
    bytesIn: 100,
    bytesOut: 900,
    perIpMax: 2,
  }
  return { minute: new Date(start + index * minute).toISOString(), routes: [route], perIpP995: 4 }
}

function feed(list: readonly TrafficAggregate[], now = start + 60 * minute) {
  let state: BaselineState | undefined
  for (const one of list) state = observeAggregate(state, one, now).state
  if (state === undefined) throw new Error('no aggregates')
  return state
}

test('five minutes and two of grace close a window', () => {
  const six = Array.from({ length: 6 }, (_, index) => aggregate(index, 10))
  expect(feed(six).samples).toBe(0)
  expect(feed([...six, aggregate(6, 10)]).samples).toBe(1)
})

test('minutes of several instances are added', () => {
  const two = [0, 1, 2, 3, 4].flatMap((index) => [aggregate(index, 10), aggregate(index, 5)])
  expect(feed(two).drafts[0]?.total.requests).toBe(75)
})

test('addresses are added over instances and not over minutes', () => {
  const two = [0, 1, 2].flatMap((index) => [aggregate(index, 10, 4), aggregate(index, 5, 3)])
  expect(feed(two).drafts[0]?.total.distinctIps).toBe(7)
})

test('a minute of a window that was judged already is left out', () => {
  const state = feed(Array.from({ length: 12 }, (_, index) => aggregate(index, 10)))
  expect(observeAggregate(state, aggregate(0, 999), start).state).toBe(state)
})

test('a minute from the future is left out', () => {
  const state = feed([aggregate(0, 10)], start + minute)
  expect(observeAggregate(state, aggregate(600, 10), start + minute).state).toBe(state)
})

test('minutes that were held back for hours and sent in one go are all counted', () => {
  const late = Array.from({ length: 60 }, (_, index) => aggregate(index, 10))
  expect(feed(late, start + 600 * minute).samples).toBe(11)
})

test('time alone closes windows when the traffic stops', () => {
  const state = feed([0, 1, 2, 3, 4].map((index) => aggregate(index, 10)))
  const closed = closeWindows(state, start + 7 * minute).state
  expect(closed.samples).toBe(1)
  expect(closed.drafts).toEqual([])
})
