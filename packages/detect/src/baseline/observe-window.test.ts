import { expect, test } from 'vitest'
import { seededRandom } from '../../testing/random.ts'
import { honestTraffic, surged } from '../../testing/traffic.ts'
import type { Anomaly } from './anomaly.ts'
import { observeWindow } from './observe-window.ts'
import type { BaselineState } from './state.ts'
import type { AggregateWindow } from './window.ts'

const start = Date.UTC(2026, 2, 2)
const week = 7 * 24 * 12

function* windows(): Generator<AggregateWindow> {
  yield* honestTraffic(seededRandom(11), { requestsPerHour: 2000, routes: 3 }, start)
}

function take(source: Iterator<AggregateWindow>, count: number): AggregateWindow[] {
  return Array.from({ length: count }, () => {
    const { value } = source.next() as IteratorYieldResult<AggregateWindow>
    return value
  })
}

function feed(list: readonly AggregateWindow[], from?: BaselineState) {
  let state = from
  const anomalies: Anomaly[] = []
  for (const window of list) {
    const result = observeWindow(state, window)
    state = result.state
    anomalies.push(...result.anomalies)
  }
  if (state === undefined) throw new Error('no windows')
  return { state, anomalies }
}

const source = windows()
const learned = feed(take(source, week)).state
// Noon of the Monday after.
const calm = feed(take(source, 144), learned).state
const next = take(source, 600)
const three = next.slice(0, 3)

function change(list: readonly AggregateWindow[], totals: (one: AggregateWindow) => object) {
  return list.map((one) => ({ ...one, total: { ...one.total, ...totals(one) } }))
}

test('nothing is an anomaly in the first seven days', () => {
  const wild = take(windows(), 500).map((one, index) => surged(one, index % 7 === 0 ? 50 : 1))
  expect(feed(wild).anomalies).toEqual([])
})

test('a surge of five times is found within three windows', () => {
  const { anomalies } = feed(
    three.map((one) => surged(one, 5)),
    calm,
  )
  expect(anomalies).toMatchObject([{ type: 'anomaly.traffic_surge', metric: 'requests' }])
})

test('an anomaly says observed, expected, threshold and why', () => {
  const [anomaly] = feed(
    three.map((one) => surged(one, 5)),
    calm,
  ).anomalies
  expect(anomaly?.observed).toBeGreaterThan(anomaly?.threshold ?? Infinity)
  expect(anomaly?.threshold).toBeGreaterThan(anomaly?.expected ?? Infinity)
  expect(anomaly?.reasons.join(' ')).toMatch(
    /requests in 5 minutes, where .* is usual at this hour/,
  )
  expect(anomaly?.reasons.join(' ')).toContain('Highest on: GET /route-0')
})

test('a single wild window is no anomaly', () => {
  const [first, ...rest] = three
  if (first === undefined) throw new Error('no window')
  expect(feed([surged(first, 20), ...rest], calm).anomalies).toEqual([])
})

test('many errors are an anomaly of the error rate', () => {
  const bad = change(three, (one) => ({ errors5xx: Math.round(one.total.requests / 3) }))
  expect(feed(bad, calm).anomalies).toMatchObject([{ type: 'anomaly.error_rate' }])
})

test('many failed logins are an anomaly', () => {
  const bad = change(three, () => ({ authFailures: 120 }))
  expect(feed(bad, calm).anomalies).toMatchObject([{ type: 'anomaly.auth_failures' }])
})

test('many addresses without more requests are an anomaly', () => {
  const bad = change(three, (one) => ({ distinctIps: one.total.requests }))
  expect(feed(bad, calm).anomalies).toMatchObject([{ type: 'anomaly.distinct_ips' }])
})

test('more addresses that come with more requests are told once, as a surge', () => {
  const surge = three.map((one) => surged(one, 6))
  const bad = change(surge, (one) => ({ distinctIps: one.total.distinctIps * 6 }))
  expect(feed(bad, calm).anomalies.map(({ type }) => type)).toEqual(['anomaly.traffic_surge'])
})

test('answers ten times as large are an anomaly of the payload size', () => {
  const bad = change(three, (one) => ({ bytes: one.total.bytes * 10 }))
  expect(feed(bad, calm).anomalies).toMatchObject([{ type: 'anomaly.payload_size' }])
})

test('a surge on one small route is found on the route', () => {
  const bad = three.map((one) => ({
    ...one,
    routes: {
      ...one.routes,
      'GET /route-2': { ...Object.values(one.routes)[2], requests: 600 } as typeof one.total,
    },
  }))
  expect(feed(bad, calm).anomalies).toMatchObject([{ route: 'GET /route-2' }])
})

test('a flood of half a day does not become the usual', () => {
  const flood = next.slice(0, 144).map((one) => surged(one, 8))
  const after = feed(flood, calm).state
  const { anomalies } = feed(
    next.slice(288, 291).map((one) => surged(one, 8)),
    after,
  )
  expect(anomalies).toMatchObject([{ type: 'anomaly.traffic_surge' }])
})

test('a window that comes twice counts once', () => {
  const [first] = three
  if (first === undefined) throw new Error('no window')
  const once = feed([first], calm).state
  expect(feed([first, first], calm).state).toEqual(once)
})

test('a window of one minute is not learned from', () => {
  const short = three.map((one) => ({ ...one, minutes: 1 }))
  expect(feed(short, calm).state.samples).toBe(calm.samples)
})

test('the state survives JSON and a replay is exact', () => {
  const copy = JSON.parse(JSON.stringify(calm)) as BaselineState
  expect(feed(three, copy)).toEqual(feed(three, calm))
})

test('the state stays within 250 KB for twenty routes', () => {
  expect(JSON.stringify(calm).length).toBeLessThan(250_000)
})
