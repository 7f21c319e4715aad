import type { AggregateWindow, Totals } from '../src/index.ts'
import type { Random } from './random.ts'

export interface TrafficShape {
  readonly requestsPerHour: number
  readonly routes: number
}

const windowMs = 5 * 60_000
const hour = 3_600_000

/** How much the level wanders by itself: correlation from window to window, and standard deviation. */
const wander = { correlation: 0.95, deviation: 0.1 }

/** Size of the negative binomial: at large means a window scatters by about a fifth. */
const size = 20

/** Honest traffic: a day's and a week's shape, a level that wanders, counts that cluster. */
export function* honestTraffic(
  random: Random,
  shape: TrafficShape,
  start: number,
): Generator<AggregateWindow> {
  let level = 0
  const shareOf = zipf(shape.routes)
  for (let at = start; ; at += windowMs) {
    const push = Math.sqrt(1 - wander.correlation ** 2) * wander.deviation
    level = wander.correlation * level + push * random.normal()
    const mean = (shape.requestsPerHour / 12) * seasonal(at) * Math.exp(level)
    const requests = random.negativeBinomial(mean, size)
    yield makeWindow(random, at, requests, shareOf)
  }
}

/** The same window with that many times the requests, as in a flood of ordinary requests. */
export function surged(window: AggregateWindow, factor: number): AggregateWindow {
  const grow = (totals: Totals): Totals => ({
    ...totals,
    requests: Math.round(totals.requests * factor),
    errors4xx: Math.round(totals.errors4xx * factor),
    errors5xx: Math.round(totals.errors5xx * factor),
    bytes: Math.round(totals.bytes * factor),
  })
  const routes = Object.entries(window.routes).map(
    ([route, totals]) => [route, grow(totals)] as const,
  )
  return { ...window, total: grow(window.total), routes: Object.fromEntries(routes) }
}

/** Busy in the afternoon, quiet at night, six tenths on weekends. */
function seasonal(at: number): number {
  const hourOfDay = (at / hour) % 24
  const dayOfWeek = (Math.floor(at / (24 * hour)) + 3) % 7
  return (1 + 0.6 * Math.sin(((hourOfDay - 9) / 24) * 2 * Math.PI)) * (dayOfWeek >= 5 ? 0.6 : 1)
}

function makeWindow(
  random: Random,
  start: number,
  requests: number,
  shareOf: readonly number[],
): AggregateWindow {
  const routes: Record<string, Totals> = {}
  let total: Totals = empty
  for (const [index, share] of shareOf.entries()) {
    const part = Math.min(random.poisson(requests * share), requests)
    const totals: Totals = {
      requests: part,
      errors4xx: random.poisson(part * 0.02),
      errors5xx: random.poisson(part * 0.002),
      authFailures: index === 1 ? random.negativeBinomial(part * 0.05 + 0.01, 5) : 0,
      distinctIps: Math.round(part * 0.12 * Math.exp(0.1 * random.normal())),
      bytes: Math.round(part * 2000 * (1 + index / 10) * Math.exp(0.15 * random.normal())),
      perIpMax: Math.ceil(Math.exp(1 + 0.6 * Math.abs(random.normal()))),
    }
    routes[`GET /route-${index}`] = totals
    total = sum(total, totals)
  }
  const perIpP995 = Array.from({ length: 5 }, () => Math.ceil(8 * Math.exp(0.5 * random.normal())))
  return { start, minutes: 5, total, routes, perIpP995 }
}

const empty: Totals = {
  requests: 0,
  errors4xx: 0,
  errors5xx: 0,
  authFailures: 0,
  distinctIps: 0,
  bytes: 0,
  perIpMax: 0,
}

function sum(a: Totals, b: Totals): Totals {
  return {
    requests: a.requests + b.requests,
    errors4xx: a.errors4xx + b.errors4xx,
    errors5xx: a.errors5xx + b.errors5xx,
    authFailures: a.authFailures + b.authFailures,
    distinctIps: a.distinctIps + b.distinctIps,
    bytes: a.bytes + b.bytes,
    perIpMax: Math.max(a.perIpMax, b.perIpMax),
  }
}

/** A few routes take most of the traffic. */
function zipf(count: number): number[] {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 1))
  const total = weights.reduce((all, weight) => all + weight, 0)
  return weights.map((weight) => weight / total)
}
