import { calm, type Excursion } from './excursion.ts'
import { metricNames, type MetricName } from './metric.ts'
import { emptyMetric, type MetricState } from './metric-state.ts'
import { emptyPerIp, type PerIpState } from './per-ip-limit.ts'
import type { RouteState } from './route-state.ts'
import type { WindowDraft } from './window.ts'

/** Everything that is learned of one application: one JSON document. */
export interface BaselineState {
  readonly version: 1
  /** Start of the first window with data; learning takes seven days from here. */
  readonly startedAt: number | null
  readonly lastWindowAt: number | null
  /** Windows that were learned from. */
  readonly samples: number
  readonly metrics: Readonly<Record<MetricName, MetricState>>
  readonly excursions: Readonly<Record<MetricName, Excursion>>
  readonly routes: Readonly<Record<string, RouteState>>
  readonly perIp: PerIpState
  /** Windows that still take minutes. */
  readonly drafts: readonly WindowDraft[]
}

export const learningMs = 7 * 24 * 3_600_000

export function emptyBaseline(): BaselineState {
  return {
    version: 1,
    startedAt: null,
    lastWindowAt: null,
    samples: 0,
    metrics: forEachMetric(() => emptyMetric),
    excursions: forEachMetric(() => calm),
    routes: {},
    perIp: emptyPerIp,
    drafts: [],
  }
}

export function forEachMetric<T>(make: (name: MetricName) => T): Record<MetricName, T> {
  const [requests, errorRate, authFailures, distinctIps, payloadSize] = metricNames
  return {
    requests: make(requests),
    errorRate: make(errorRate),
    authFailures: make(authFailures),
    distinctIps: make(distinctIps),
    payloadSize: make(payloadSize),
  }
}

/** The time from which on the baseline is enforced, or null before the first window. */
export function learningEndsAt(state: BaselineState): number | null {
  return state.startedAt === null ? null : state.startedAt + learningMs
}

export function isActiveAt(state: BaselineState, at: number): boolean {
  const ends = learningEndsAt(state)
  return ends !== null && at >= ends
}
