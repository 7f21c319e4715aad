import type { Severity } from '@merlon/base'
import type { AnomalyType, Metric, MetricName } from './metric.ts'
import type { Expectation } from './metric-state.ts'
import { round } from './statistics.ts'
import { windowMs } from './week.ts'
import type { AggregateWindow } from './window.ts'

export interface Anomaly {
  readonly type: AnomalyType
  readonly severity: Severity
  /** End of the window that completed the alarm. */
  readonly at: number
  readonly metric: MetricName
  readonly route?: string
  readonly observed: number
  readonly expected: number
  readonly threshold: number
  readonly windowStart: number
  readonly windowMinutes: number
  readonly reasons: readonly string[]
}

export function anomalyOf(
  metric: Metric,
  window: AggregateWindow,
  observed: number,
  expectation: Expectation,
  route?: string,
): Anomaly {
  const { expected, alarm, limit } = expectation
  const ratio = observed / Math.max(expected, 1e-9)
  const severity: Severity = observed <= limit ? 'LOW' : ratio >= 10 ? 'HIGH' : 'MEDIUM'
  const where = route === undefined ? '' : ` of ${route}`
  const times = expected > 0 ? `, ${round(ratio, 1)} times the usual` : ''
  const shown = (value: number) => round(value, value < 1 ? 4 : value < 100 ? 1 : 0)
  const reasons = [
    `${shown(observed)} ${metric.unit}${where}, where ${shown(expected)} is usual at this hour and ${shown(alarm)} is the threshold${times}.`,
    'At least two of the last three windows were above the threshold.',
  ]
  const busiest = route === undefined ? busiestRoutes(metric, window) : undefined
  if (busiest !== undefined) reasons.push(busiest)
  return {
    type: metric.type,
    severity,
    at: window.start + windowMs,
    metric: metric.name,
    ...(route === undefined ? {} : { route }),
    observed: shown(observed),
    expected: shown(expected),
    threshold: shown(alarm),
    windowStart: window.start,
    windowMinutes: windowMs / 60_000,
    reasons,
  }
}

function busiestRoutes(metric: Metric, window: AggregateWindow): string | undefined {
  const values = Object.entries(window.routes)
    .map(([route, totals]) => ({ route, value: metric.read(totals) ?? 0 }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, 3)
  if (values.length === 0) return undefined
  return `Highest on: ${values.map(({ route }) => route).join(', ')}.`
}
