import { expect, test } from 'vitest'
import { seededRandom } from '../../testing/random.ts'
import { honestTraffic, surged } from '../../testing/traffic.ts'
import type { Anomaly } from './anomaly.ts'
import { observeWindow } from './observe-window.ts'
import type { BaselineState } from './state.ts'
import { baselineView } from './view.ts'
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

test('a flood of half a day teaches nothing', () => {
  const flood = next.slice(0, 144).map((one) => surged(one, 8))
  expect(feed(flood, calm).state.metrics.requests.cells).toEqual(calm.metrics.requests.cells)
})

test('a flood of two days is let in from the second day on, and only in small steps', () => {
  const flood = next.slice(0, 576).map((one) => surged(one, 8))
  const { state } = feed(flood, calm)
  const highest = (cells: BaselineState['metrics']['requests']['cells']) =>
    Math.max(...Object.values(cells).flat())
  const flooded = Math.sqrt(Math.max(...flood.map((one) => one.total.requests)))
  expect(state.metrics.requests.cells).not.toEqual(calm.metrics.requests.cells)
  expect(highest(state.metrics.requests.cells)).toBeLessThan(flooded * 0.75)
})

test('thresholds follow lasting growth by a tenth a day at most', () => {
  const at = (next[299]?.start ?? 0) + 48 * 3_600_000
  const before = baselineView(calm, at).thresholds.requestsPer5Minutes ?? 0
  const { state } = feed(
    next.slice(0, 576).map((one) => surged(one, 8)),
    calm,
  )
  const after = baselineView(state, at).thresholds.requestsPer5Minutes ?? 0
  expect(after / before).toBeLessThan(1.1 ** 2)
})

test('failed logins that stay become the usual, even where there were none', () => {
  const grown = Array.from({ length: 14 * 288 }, (_, index) => {
    const [first] = three
    if (first === undefined) throw new Error('no window')
    const total = { ...first.total, authFailures: 16 }
    return { ...first, start: first.start + index * 300_000, total, routes: {} }
  })
  const settled = grown[11 * 288]?.start ?? 0
  const { anomalies } = feed(grown, { ...calm, routes: {} })
  const late = anomalies.filter((one) => one.type === 'anomaly.auth_failures' && one.at > settled)
  expect(late).toEqual([])
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
