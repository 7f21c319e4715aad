import type { TrafficAggregate } from './aggregate.ts'
import { windowMs, windowStart } from './week.ts'

export interface Totals {
  readonly requests: number
  readonly errors4xx: number
  readonly errors5xx: number
  readonly authFailures: number
  /** The largest number of addresses in one minute: minutes cannot be added without counting twice. */
  readonly distinctIps: number
  readonly bytes: number
  readonly perIpMax: number
}

/** Five minutes of an application's traffic. */
export interface AggregateWindow {
  readonly start: number
  /** Minutes that were reported; a window with fewer than four is not learned from. */
  readonly minutes: number
  readonly total: Totals
  readonly routes: Readonly<Record<string, Totals>>
  /** 99.5th percentiles of requests per address and minute, one per reported minute. */
  readonly perIpP995: readonly number[]
}

interface DraftTotals extends Totals {
  readonly ipsByMinute: Readonly<Record<string, number>>
}

/** A window that still takes minutes; plain JSON. */
export interface WindowDraft {
  readonly start: number
  readonly minutes: readonly number[]
  readonly total: DraftTotals
  readonly routes: Readonly<Record<string, DraftTotals>>
  readonly perIpP995: readonly number[]
}

/** Bounds against many instances and invented routes. */
const limits = { routes: 400, percentiles: 60 }

export function emptyDraft(start: number): WindowDraft {
  return { start, minutes: [], total: noTraffic, routes: {}, perIpP995: [] }
}

/** Adds one minute of one instance to the window it belongs to. */
export function addToDraft(draft: WindowDraft, aggregate: TrafficAggregate): WindowDraft {
  const minute = Math.floor((Date.parse(aggregate.minute) - draft.start) / 60_000)
  const routes: Record<string, DraftTotals> = { ...draft.routes }
  let total = draft.total
  let largestIps = 0
  for (const traffic of aggregate.routes) {
    const part: Totals = { ...traffic, bytes: traffic.bytesIn + traffic.bytesOut }
    total = plus(total, part, minute, 0)
    largestIps = Math.max(largestIps, part.distinctIps)
    const known = routes[traffic.route]
    if (known === undefined && Object.keys(routes).length >= limits.routes) continue
    routes[traffic.route] = plus(known ?? noTraffic, part, minute, part.distinctIps)
  }
  total = plus(total, noTraffic, minute, aggregate.distinctIps ?? largestIps)
  const percentiles =
    aggregate.perIpP995 === undefined ? draft.perIpP995 : [...draft.perIpP995, aggregate.perIpP995]
  return {
    start: draft.start,
    minutes: draft.minutes.includes(minute) ? draft.minutes : [...draft.minutes, minute],
    total,
    routes,
    perIpP995: percentiles.slice(-limits.percentiles),
  }
}

export function closeDraft(draft: WindowDraft): AggregateWindow {
  const { start, minutes, total, routes, perIpP995 } = draft
  const closed = Object.entries(routes).map(([route, totals]) => [route, strip(totals)] as const)
  return {
    start,
    minutes: minutes.length,
    total: strip(total),
    routes: Object.fromEntries(closed),
    perIpP995,
  }
}

export function draftStartOf(aggregate: TrafficAggregate): number {
  return windowStart(Date.parse(aggregate.minute))
}

/** The earliest time at which a window may close: late minutes of slow instances still come in. */
export function closesAt(draft: WindowDraft): number {
  return draft.start + windowMs + 2 * 60_000
}

const noTraffic: DraftTotals = {
  requests: 0,
  errors4xx: 0,
  errors5xx: 0,
  authFailures: 0,
  distinctIps: 0,
  bytes: 0,
  perIpMax: 0,
  ipsByMinute: {},
}

function plus(sum: DraftTotals, part: Totals, minute: number, ips: number): DraftTotals {
  const inMinute = (sum.ipsByMinute[minute] ?? 0) + ips
  return {
    requests: sum.requests + part.requests,
    errors4xx: sum.errors4xx + part.errors4xx,
    errors5xx: sum.errors5xx + part.errors5xx,
    authFailures: sum.authFailures + part.authFailures,
    distinctIps: Math.max(sum.distinctIps, inMinute),
    bytes: sum.bytes + part.bytes,
    perIpMax: Math.max(sum.perIpMax, part.perIpMax),
    ipsByMinute: ips === 0 ? sum.ipsByMinute : { ...sum.ipsByMinute, [minute]: inMinute },
  }
}

function strip(draft: DraftTotals): Totals {
  const { ipsByMinute: _, ...totals } = draft
  return totals
}
