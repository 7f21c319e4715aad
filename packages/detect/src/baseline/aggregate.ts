/** The event type in which the SDK sends one minute of traffic in numbers, without any request in it. */
export const trafficAggregateType = 'traffic.aggregate'

export const maxAggregateRoutes = 200

export interface RouteTraffic {
  /** Method and pattern, for example `GET /users/:id`, never a path with values in it. */
  readonly route: string
  readonly requests: number
  readonly errors4xx: number
  readonly errors5xx: number
  readonly authFailures: number
  readonly distinctIps: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Most requests that one address made to this route in the minute. */
  readonly perIpMax: number
}

/** Payload of a `traffic.aggregate` event: one minute of one SDK instance. Sent for quiet minutes too. */
export interface TrafficAggregate {
  /** Start of the minute, ISO 8601. */
  readonly minute: string
  /** The busiest routes; the rest is added up under the route `*`. */
  readonly routes: readonly RouteTraffic[]
  /** Distinct addresses over all routes; the largest route's number stands in when it is missing. */
  readonly distinctIps?: number
  /** 99.5th percentile of the requests per address in this minute, over all routes. */
  readonly perIpP995?: number
}

export type ParsedAggregate =
  | { readonly ok: true; readonly aggregate: TrafficAggregate }
  | { readonly ok: false; readonly error: string }

const counts = [
  'requests',
  'errors4xx',
  'errors5xx',
  'authFailures',
  'distinctIps',
  'bytesIn',
  'bytesOut',
  'perIpMax',
] as const

const longestRoute = 256

export function parseTrafficAggregate(payload: unknown): ParsedAggregate {
  if (!isRecord(payload)) return refuse('must be an object')
  const { minute, routes, distinctIps, perIpP995 } = payload
  if (typeof minute !== 'string' || Number.isNaN(Date.parse(minute))) {
    return refuse('minute must be an ISO 8601 time')
  }
  if (!Array.isArray(routes)) return refuse('routes must be an array')
  if (routes.length > maxAggregateRoutes) return refuse(`routes: at most ${maxAggregateRoutes}`)
  const parsed: RouteTraffic[] = []
  for (const [index, entry] of (routes as unknown[]).entries()) {
    const route = parseRoute(entry)
    if (typeof route === 'string') return refuse(`routes[${index}]: ${route}`)
    parsed.push(route)
  }
  if (distinctIps !== undefined && !isCount(distinctIps))
    return refuse('distinctIps must be a count')
  if (perIpP995 !== undefined && !isCount(perIpP995)) return refuse('perIpP995 must be a count')
  const aggregate: TrafficAggregate = {
    minute,
    routes: parsed,
    ...(distinctIps === undefined ? {} : { distinctIps }),
    ...(perIpP995 === undefined ? {} : { perIpP995 }),
  }
  return { ok: true, aggregate }
}

/** The route, or what is wrong with it. Counts that are missing are zero. */
function parseRoute(entry: unknown): RouteTraffic | string {
  if (!isRecord(entry)) return 'must be an object'
  const { route } = entry
  if (typeof route !== 'string' || route === '' || route.length > longestRoute) {
    return `route must be a text of 1 to ${longestRoute} characters`
  }
  const numbers = new Map<string, number>()
  for (const name of counts) {
    const value = entry[name] ?? 0
    if (!isCount(value)) return `${name} must be a number from 0 to 2^53`
    numbers.set(name, value)
  }
  const of = (name: (typeof counts)[number]) => numbers.get(name) ?? 0
  return {
    route,
    requests: of('requests'),
    errors4xx: of('errors4xx'),
    errors5xx: of('errors5xx'),
    authFailures: of('authFailures'),
    distinctIps: of('distinctIps'),
    bytesIn: of('bytesIn'),
    bytesOut: of('bytesOut'),
    perIpMax: of('perIpMax'),
  }
}

function refuse(error: string): ParsedAggregate {
  return { ok: false, error }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}
