import { calm, followExcursion, isLasting, type Excursion } from './excursion.ts'
import { dailyGrowth } from './metric-state.ts'
import { countPerIp, emptyPerIp, type PerIpState } from './per-ip-limit.ts'
import { round, spreadOf } from './statistics.ts'
import { hourOfWeek, isWeekendHour } from './week.ts'
import type { Totals } from './window.ts'

/** Means of one hour of day, on working days or weekends: windows, requests, error rate, IPs, bytes. */
export type RouteCell = readonly [
  windows: number,
  requests: number,
  errorRate: number,
  distinctIps: number,
  bytesPerRequest: number,
]

/** What was learned of one route. Much smaller than an application's state: there are up to 200. */
export interface RouteState {
  readonly since: number
  readonly lastSeenAt: number
  /** Fading mean of requests per window, by which the busiest routes are kept. */
  readonly weight: number
  /** By hour of day 0-23, and 24-47 for weekends. */
  readonly cells: Readonly<Record<string, RouteCell>>
  /** How far windows were from the expected, on the square root scale. */
  readonly residuals: readonly number[]
  readonly perIp: PerIpState
  readonly excursion: Excursion
}

export interface RouteExpectation {
  readonly expected: number
  readonly alarm: number
  readonly limit: number
}

const day = 24 * 3_600_000
const learningMs = 7 * day
const mostResiduals = 64

/** Two hundred routes are two hundred chances for a false alarm, so the bar is higher for each. */
const alarmMads = 6
const limitMads = 8
const leastRatio = 3
const leastRequests = 50
const windowsNeeded = 3

/** One window of 24 in a cell: a half-life of 14 days. */
const steadyShare = 1 - 2 ** (-1 / 24)

export function newRoute(at: number): RouteState {
  return {
    since: at,
    lastSeenAt: at,
    weight: 0,
    cells: {},
    residuals: [],
    perIp: emptyPerIp,
    excursion: calm,
  }
}

export function cellOfHour(hour: number): number {
  return (hour % 24) + (isWeekendHour(hour) ? 24 : 0)
}

export function routeExpectation(state: RouteState, at: number): RouteExpectation | undefined {
  const level = levelAt(state, at)
  if (level === undefined || state.residuals.length < mostResiduals / 2) return undefined
  const { median, mad } = spreadOf([{ values: state.residuals, weight: 1 }])
  const middle = Math.sqrt(level) + median
  const above = (mads: number) => (middle + mads * Math.max(0.5, mad)) ** 2
  return { expected: Math.max(0, middle) ** 2, alarm: above(alarmMads), limit: above(limitMads) }
}

export interface RouteStep {
  readonly route: RouteState
  /** Set when the window is part of an excursion that has to be reported now. */
  readonly alarm?: RouteExpectation
}

export function observeRoute(before: RouteState, start: number, totals: Totals): RouteStep {
  const isActive = start - before.since >= learningMs
  const expectation = isActive ? routeExpectation(before, start) : undefined
  const isOver =
    expectation !== undefined &&
    totals.requests > expectation.alarm &&
    totals.requests >= leastRequests &&
    totals.requests >= leastRatio * expectation.expected
  const { excursion, isAlarm } = followExcursion(before.excursion, start, isOver, windowsNeeded)
  const learned = isOver
    ? learnLasting(before, start, totals, expectation, excursion)
    : learnRoute(before, start, totals)
  const route: RouteState = {
    ...learned,
    excursion,
    lastSeenAt: Math.max(before.lastSeenAt, start),
    weight: round(before.weight * 0.999 + totals.requests * 0.001, 4),
  }
  return isAlarm && expectation !== undefined ? { route, alarm: expectation } : { route }
}

/** As for the whole application: above the threshold nothing is learned, but lasting growth slowly. */
function learnLasting(
  state: RouteState,
  start: number,
  totals: Totals,
  expectation: RouteExpectation,
  excursion: Excursion,
): RouteState {
  if (!isLasting(excursion, start)) return state
  const requests = Math.max(expectation.expected * dailyGrowth, leastRequests)
  return learnRoute(state, start, { ...totals, requests: Math.min(requests, totals.requests) })
}

function learnRoute(state: RouteState, start: number, totals: Totals): RouteState {
  const key = cellOfHour(hourOfWeek(start))
  const level = levelAt(state, start)
  const [windows, requests, errorRate, ips, bytes] = state.cells[key] ?? [0, 0, 0, 0, 0]
  const share = Math.max(1 / (windows + 1), steadyShare)
  const towards = (mean: number, value: number) => mean + (value - mean) * share
  const errors = totals.errors4xx + totals.errors5xx
  const perRequest = (sum: number, mean: number) =>
    totals.requests === 0 ? mean : towards(mean, sum / totals.requests)
  const cell: RouteCell = [
    Math.min(windows + 1, 9999),
    round(towards(requests, totals.requests), 2),
    round(perRequest(errors, errorRate), 4),
    round(towards(ips, totals.distinctIps), 2),
    Math.round(perRequest(totals.bytes, bytes)),
  ]
  const residual = level === undefined ? undefined : Math.sqrt(totals.requests) - Math.sqrt(level)
  return {
    ...state,
    cells: { ...state.cells, [key]: cell },
    residuals:
      residual === undefined
        ? state.residuals
        : [...state.residuals, round(residual, 2)].slice(-mostResiduals),
    perIp: countPerIp(state.perIp, [totals.perIpMax]),
  }
}

/** Mean requests per window in this hour of day and its neighbours. */
function levelAt(state: RouteState, at: number): number | undefined {
  const hour = hourOfWeek(at)
  const base = isWeekendHour(hour) ? 24 : 0
  let windows = 0
  let sum = 0
  for (const step of [-1, 0, 1]) {
    const cell = state.cells[base + ((hour + step + 24) % 24)]
    if (cell === undefined) continue
    windows += cell[0]
    sum += cell[0] * cell[1]
  }
  return windows === 0 ? undefined : sum / windows
}
