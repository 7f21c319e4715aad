import { anomalyOf, type Anomaly } from './anomaly.ts'
import { calm, followExcursion, isLasting, type Excursion } from './excursion.ts'
import { metricNames, metrics, type Metric, type MetricName } from './metric.ts'
import {
  dailyGrowth,
  emptyMetric,
  expectationAt,
  guardGrowth,
  learn,
  type Expectation,
  type MetricState,
} from './metric-state.ts'
import { countPerIp, guardPerIp, perIpLimit } from './per-ip-limit.ts'
import { observeRoutes } from './observe-routes.ts'
import { emptyBaseline, forEachMetric, isActiveAt, type BaselineState } from './state.ts'
import { poissonUpper } from './statistics.ts'
import type { AggregateWindow } from './window.ts'

export interface BaselineResult {
  readonly state: BaselineState
  readonly anomalies: readonly Anomaly[]
}

/** Below this no address is limited, whatever was learned: requests per minute. */
export const perIpFloor = 60

const leastMinutes = 4

/** Takes one closed window in: judges it against what was learned, then learns from it. */
export function observeWindow(
  known: BaselineState | undefined,
  window: AggregateWindow,
): BaselineResult {
  const before = known ?? emptyBaseline()
  // Windows come in order; one that is late was counted as missing and stays so.
  if (before.lastWindowAt !== null && window.start <= before.lastWindowAt) {
    return { state: before, anomalies: [] }
  }
  const started: BaselineState = { ...before, startedAt: before.startedAt ?? window.start }
  const steps = forEachMetric((name) => stepMetric(started, metrics[name], window))
  // More requests come from more addresses: one cause is reported once.
  const explained: readonly MetricName[] = steps.requests.isOver ? ['distinctIps'] : []
  const anomalies = metricNames
    .filter((name) => !explained.includes(name))
    .map((name) => steps[name].anomaly)
    .filter((anomaly) => anomaly !== undefined)
  const isActive = isActiveAt(started, window.start)
  const routes = observeRoutes(started.routes, window, isActive)
  const isSurge = steps.requests.isOver
  const state: BaselineState = {
    ...started,
    lastWindowAt: window.start,
    samples: started.samples + (window.minutes >= leastMinutes ? 1 : 0),
    metrics: forEachMetric((name) => steps[name].state),
    excursions: forEachMetric((name) => (explained.includes(name) ? calm : steps[name].excursion)),
    routes: routes.routes,
    perIp: learnPerIp(started, window, isActive, isSurge),
  }
  return { state, anomalies: isSurge ? anomalies : [...anomalies, ...routes.anomalies] }
}

interface MetricStep {
  readonly state: MetricState
  readonly excursion: Excursion
  readonly isOver: boolean
  readonly anomaly?: Anomaly
}

function stepMetric(baseline: BaselineState, metric: Metric, window: AggregateWindow): MetricStep {
  const excursion = baseline.excursions[metric.name]
  const learned = baseline.metrics[metric.name] ?? emptyMetric
  const value = metric.read(window.total)
  if (value === undefined) return { state: learned, excursion, isOver: false }
  const isComplete = window.minutes >= leastMinutes
  if (!isActiveAt(baseline, window.start)) {
    const state = isComplete ? learn(learned, metric, window.start, value) : learned
    return { state, excursion, isOver: false }
  }
  const guarded = guardGrowth(learned, metric, window.start)
  const learnedMs = window.start - (baseline.startedAt ?? window.start)
  const expectation = expectationAt(guarded, metric, window.start, learnedMs)
  const bound = expectation && alarmBound(metric, expectation, window)
  const isOver = bound !== undefined && value > bound
  const step = followExcursion(excursion, window.start, isOver)
  const base = { excursion: step.excursion, isOver }
  const state = !isComplete
    ? guarded
    : isOver
      ? learnLasting(guarded, metric, window.start, expectation, step.excursion)
      : learn(guarded, metric, window.start, value)
  if (!step.isAlarm || expectation === undefined || bound === undefined) return { ...base, state }
  const shown = { ...expectation, alarm: bound, limit: Math.max(bound, expectation.limit) }
  return { ...base, state, anomaly: anomalyOf(metric, window, value, shown) }
}

/** Windows above the threshold teach nothing, or an attack would become the usual. */
function learnLasting(
  state: MetricState,
  metric: Metric,
  start: number,
  expectation: Expectation | undefined,
  excursion: Excursion,
): MetricState {
  if (expectation === undefined || !isLasting(excursion, start)) return state
  // What lasts for a day is growth: it is let in, but only in steps of a tenth. From next to
  // nothing a tenth leads nowhere, so small values are let in as they are.
  const step = Math.max(expectation.expected * dailyGrowth, metric.leastValue)
  return learn(state, metric, start, step)
}

function alarmBound(metric: Metric, expectation: Expectation, window: AggregateWindow): number {
  const { expected, alarm } = expectation
  const bound = Math.max(alarm, expected * metric.leastRatio, metric.leastValue)
  if (metric.name !== 'errorRate') return bound
  // Of few requests, a handful of errors is a high rate by mere chance.
  const { requests } = window.total
  const usual = Math.max(expected, metric.leastValue)
  const byChance = poissonUpper(usual * requests, 1e-5) / Math.max(1, requests)
  return Math.max(bound, expected + metric.leastValue, byChance)
}

function learnPerIp(
  baseline: BaselineState,
  window: AggregateWindow,
  isActive: boolean,
  isSurge: boolean,
): BaselineState['perIp'] {
  if (!isActive) return countPerIp(baseline.perIp, window.perIpP995)
  const guarded = guardPerIp(baseline.perIp, window.start, perIpFloor)
  if (isSurge) return guarded
  const limit = perIpLimit(guarded, perIpFloor) ?? Number.POSITIVE_INFINITY
  return countPerIp(
    guarded,
    window.perIpP995.filter((value) => value <= limit),
  )
}
