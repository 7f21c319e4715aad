import { deviceKey } from '../fingerprint/user-agent.ts'
import { placeOf } from '../geo/place.ts'
import { hasPlace } from '../network/address.ts'
import { classifyNetwork } from '../network/asn-class.ts'
import { isAtLeast } from '../severity.ts'
import { travelEvidence } from './evidence.ts'
import {
  isHabitual,
  neighboursOf,
  pairKey,
  rememberDetection,
  rememberLogin,
  routeKey,
} from './habits.ts'
import {
  travelDefaults,
  type TravelDetection,
  type TravelLogin,
  type TravelOptions,
  type TravelResult,
  type TravelState,
  type TravelStop,
} from './types.ts'
import { weighTravel } from './weigh.ts'

/**
 * Compares a login of one user with the earlier ones. Logins may arrive late and out of order: each
 * is compared with its neighbours in time.
 */
export function detectTravel(
  known: TravelState | undefined,
  login: TravelLogin,
  options: Partial<TravelOptions> = {},
): TravelResult {
  const rules = { ...travelDefaults, ...options }
  const state = known ?? emptyState(login.at)
  const stop = stopOf(login)
  const remembered = rememberLogin(state, login, stop)
  if (stop === undefined) return { state: remembered }
  const found = neighboursOf(state, stop)
    .map((other) => compare(state, login, other, stop, rules))
    .filter((detection) => detection !== undefined)
    .filter((detection) => !isRepeat(state, login, detection, rules))
  const [detection] = found.toSorted(strongestFirst)
  if (detection === undefined) return { state: remembered }
  return { state: rememberDetection(remembered, detection), detection }
}

function compare(
  state: TravelState,
  login: TravelLogin,
  other: TravelStop,
  stop: TravelStop,
  rules: TravelOptions,
): TravelDetection | undefined {
  const elapsed = Math.abs(stop.at - other.at)
  const evidence = travelEvidence(other.place, stop.place, elapsed, rules)
  if (evidence === undefined) return undefined
  // Where the places touch, nothing impossible was seen: somebody who lives at a border is no alarm.
  const habitual = [other, stop].every((end) => isHabitual(state, end.place.key, login.at))
  if (evidence.strength !== 'certain' && habitual) return undefined
  const [from, to] = other.at <= stop.at ? [other, stop] : [stop, other]
  const { km, kmh, leastKm } = evidence
  const weight = weighTravel(state, login, from, to, evidence, rules)
  const minutes = Math.round(elapsed / 60_000)
  return {
    type: 'auth.impossible_travel',
    at: login.at,
    ...weight,
    km,
    kmh,
    leastKm,
    minutes,
    from,
    to,
  }
}

function isRepeat(
  state: TravelState,
  login: TravelLogin,
  detection: TravelDetection,
  rules: TravelOptions,
): boolean {
  const { from, to, at } = detection
  const flagged = state.pairs[pairKey(from, to)]
  if (flagged === undefined) return false
  const device = deviceKey(login.userAgent)
  const isOwnDevice = device !== undefined && state.devices.includes(device)
  const isOwnWay = [from, to].every((end) => isHabitual(state, end.place.key, at))
  if (isOwnDevice && isOwnWay && Math.abs(at - flagged.at) < rules.habitRepeatMs) return true
  const earlier = flagged.routes[routeKey(from, to)]
  if (earlier === undefined || Math.abs(at - earlier.at) >= rules.repeatMs) return false
  // A harmless repeat may stay quiet, but it must not cover for a worse one.
  return isAtLeast(earlier.severity, detection.severity)
}

function strongestFirst(a: TravelDetection, b: TravelDetection): number {
  if (a.severity !== b.severity) return isAtLeast(a.severity, b.severity) ? -1 : 1
  return b.confidence - a.confidence
}

function stopOf(login: TravelLogin): TravelStop | undefined {
  const place = hasPlace(login.ip) ? placeOf(login) : undefined
  if (place === undefined) return undefined
  return {
    at: login.at,
    ip: login.ip,
    place,
    network: classifyNetwork(login.asn, login.asnName),
    ...(login.asn === undefined ? {} : { asn: login.asn }),
    ...(login.asnName === undefined ? {} : { asnName: login.asnName }),
  }
}

function emptyState(at: number): TravelState {
  return { firstSeenAt: at, stops: [], places: {}, pairs: {}, countries: [], devices: [] }
}
