import { anomalyOf, type Anomaly } from './anomaly.ts'
import { metrics } from './metric.ts'
import { newRoute, observeRoute, type RouteState } from './route-state.ts'
import type { AggregateWindow, Totals } from './window.ts'

export const mostRoutes = 200

export interface RoutesStep {
  readonly routes: Readonly<Record<string, RouteState>>
  readonly anomalies: readonly Anomaly[]
}

const idleMs = 30 * 24 * 3_600_000

const nothing: Totals = {
  requests: 0,
  errors4xx: 0,
  errors5xx: 0,
  authFailures: 0,
  distinctIps: 0,
  bytes: 0,
  perIpMax: 0,
}

/** Follows the busiest routes of an application. A route that is new learns for seven days itself. */
export function observeRoutes(
  known: Readonly<Record<string, RouteState>>,
  window: AggregateWindow,
  isActive: boolean,
): RoutesStep {
  const routes: Record<string, RouteState> = {}
  const anomalies: Anomaly[] = []
  for (const name of new Set([...Object.keys(known), ...Object.keys(window.routes)])) {
    // A route that nobody called in this window had zero requests, which is worth learning too.
    const totals = window.routes[name] ?? nothing
    const before = known[name] ?? newRoute(window.start)
    if (window.start - before.lastSeenAt > idleMs && totals.requests === 0) continue
    const step = observeRoute(before, window.start, totals)
    const lastSeenAt = totals.requests > 0 ? window.start : before.lastSeenAt
    routes[name] = { ...step.route, lastSeenAt }
    if (isActive && step.alarm !== undefined) {
      anomalies.push(anomalyOf(metrics.requests, window, totals.requests, step.alarm, name))
    }
  }
  return { routes: busiest(routes), anomalies }
}

function busiest(routes: Record<string, RouteState>): Record<string, RouteState> {
  const entries = Object.entries(routes)
  if (entries.length <= mostRoutes) return routes
  return Object.fromEntries(
    entries.toSorted((a, b) => b[1].weight - a[1].weight).slice(0, mostRoutes),
  )
}
