import { metrics } from './metric.ts'
import { expectationAt, medianAt } from './metric-state.ts'
import { perIpFloor } from './observe-window.ts'
import { perIpLimit } from './per-ip-limit.ts'
import { cellOfHour, routeExpectation, type RouteState } from './route-state.ts'
import { isActiveAt, learningEndsAt, learningMs, type BaselineState } from './state.ts'
import { round } from './statistics.ts'
import { hoursPerWeek, windowMs } from './week.ts'

/** 168 numbers, index 0 being Monday 00:00 to 01:00 UTC; null where nothing was seen yet. */
export type WeekOfHours = readonly (number | null)[]

export interface RouteProfile {
  /** `*` is the whole application. */
  readonly route: string
  readonly requestsPerMinute: WeekOfHours
  readonly errorRate: WeekOfHours
  readonly distinctIps: WeekOfHours
  readonly payloadBytes: WeekOfHours
}

export interface RouteThreshold {
  readonly route: string
  readonly perIpPerMinute: number | null
  readonly requestsPer5Minutes: number | null
}

/** What the SDK enforces; everything is null and empty while learning. */
export interface BaselineThresholds {
  readonly enforced: boolean
  readonly perIpPerMinute: number | null
  readonly requestsPer5Minutes: number | null
  readonly routes: readonly RouteThreshold[]
  /** The hour these thresholds were made for ends here. */
  readonly validUntil: string | null
}

export interface BaselineView {
  readonly status: 'learning' | 'active'
  readonly learningStartedAt: string | null
  readonly learningEndsAt: string | null
  readonly progress: number
  readonly samples: number
  readonly profile: readonly RouteProfile[]
  readonly thresholds: BaselineThresholds
}

const hour = 3_600_000

export function baselineView(state: BaselineState | undefined, now: number): BaselineView {
  const ends = state === undefined ? null : learningEndsAt(state)
  const started = state?.startedAt ?? null
  const learned = started === null ? 0 : (now - started) / learningMs
  return {
    status: state !== undefined && isActiveAt(state, now) ? 'active' : 'learning',
    learningStartedAt: started === null ? null : new Date(started).toISOString(),
    learningEndsAt: ends === null ? null : new Date(ends).toISOString(),
    progress: round(Math.min(1, Math.max(0, learned)), 4),
    samples: state?.samples ?? 0,
    profile: state === undefined || started === null ? [] : profileOf(state),
    thresholds: baselineThresholds(state, now),
  }
}

/** The thresholds alone, for the policy that the SDK fetches every few seconds. */
export function baselineThresholds(
  state: BaselineState | undefined,
  now: number,
): BaselineThresholds {
  if (state === undefined || !isActiveAt(state, now)) {
    return {
      enforced: false,
      perIpPerMinute: null,
      requestsPer5Minutes: null,
      routes: [],
      validUntil: null,
    }
  }
  const learnedMs = now - (state.startedAt ?? now)
  const requests = expectationAt(state.metrics.requests, metrics.requests, now, learnedMs)
  return {
    enforced: true,
    perIpPerMinute: perIpLimit(state.perIp, perIpFloor) ?? null,
    requestsPer5Minutes:
      requests === undefined
        ? null
        : Math.ceil(Math.max(requests.limit, requests.expected * 2, 100)),
    routes: busiestFirst(state).map(([route, learned]) => routeThreshold(route, learned, now)),
    validUntil: new Date((Math.floor(now / hour) + 1) * hour).toISOString(),
  }
}

function routeThreshold(route: string, state: RouteState, now: number): RouteThreshold {
  const isKnown = now - state.since >= learningMs
  const expectation = isKnown ? routeExpectation(state, now) : undefined
  const limit = expectation && Math.ceil(Math.max(expectation.limit, expectation.expected * 3, 100))
  const perIp = isKnown ? perIpLimit(state.perIp, perIpFloor) : undefined
  return { route, perIpPerMinute: perIp ?? null, requestsPer5Minutes: limit ?? null }
}

function profileOf(state: BaselineState): RouteProfile[] {
  const of = (name: keyof BaselineState['metrics'], digits: number, divisor = 1): WeekOfHours =>
    hours((index) => {
      const median = medianAt(state.metrics[name], metrics[name], index)
      return median === null ? null : round(median / divisor, digits)
    })
  const whole: RouteProfile = {
    route: '*',
    requestsPerMinute: of('requests', 2, windowMs / 60_000),
    errorRate: of('errorRate', 4),
    distinctIps: of('distinctIps', 1),
    payloadBytes: of('payloadSize', 0),
  }
  return [whole, ...busiestFirst(state).map(([route, learned]) => routeProfile(route, learned))]
}

function routeProfile(route: string, state: RouteState): RouteProfile {
  const of = (column: 1 | 2 | 3 | 4, digits: number, divisor = 1): WeekOfHours =>
    hours((index) => {
      const cell = state.cells[cellOfHour(index)]
      return cell === undefined ? null : round(cell[column] / divisor, digits)
    })
  return {
    route,
    requestsPerMinute: of(1, 2, windowMs / 60_000),
    errorRate: of(2, 4),
    distinctIps: of(3, 1),
    payloadBytes: of(4, 0),
  }
}

function busiestFirst(state: BaselineState): [string, RouteState][] {
  return Object.entries(state.routes).toSorted((a, b) => b[1].weight - a[1].weight)
}

function hours(read: (index: number) => number | null): WeekOfHours {
  return Array.from({ length: hoursPerWeek }, (_, index) => read(index))
}
