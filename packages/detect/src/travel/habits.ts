import { deviceKey } from '../fingerprint/user-agent.ts'
import type {
  FlaggedPair,
  PlaceHabit,
  TravelDetection,
  TravelLogin,
  TravelState,
  TravelStop,
} from './types.ts'

const hour = 3_600_000
const habitMs = 30 * 24 * hour
const habitSightings = 3

/** Bounds of what is kept per user. */
const limits = { stops: 12, places: 40, pairs: 40, countries: 40, devices: 10 }

export function isHabitual(state: TravelState, placeKey: string, at: number): boolean {
  const seen = state.places[placeKey]?.seen ?? []
  return seen.filter((time) => Math.abs(at - time) <= habitMs).length >= habitSightings
}

export function pairKey(a: TravelStop, b: TravelStop): string {
  return [a.place.key, b.place.key].toSorted().join(' | ')
}

/** Two places over two networks: what makes a report a repeat of an earlier one. */
export function routeKey(a: TravelStop, b: TravelStop): string {
  return [a, b]
    .map((stop) => `${stop.place.key} ${stop.network} ${stop.asn ?? ''}`)
    .toSorted()
    .join(' | ')
}

/** The stops a login has to be compared with: its neighbours in time, and the last one without a VPN. */
export function neighboursOf(state: TravelState, stop: TravelStop): TravelStop[] {
  const before = state.stops.filter((other) => other.at <= stop.at)
  const last = before.at(-1)
  // A VPN in between must not hide the way from the last real place to this one.
  const lastReal = before.findLast((other) => other.network === 'access')
  const next = state.stops.find((other) => other.at > stop.at)
  return [...new Set([last, lastReal, next])].filter((other) => other !== undefined)
}

export function rememberLogin(
  state: TravelState,
  login: TravelLogin,
  stop: TravelStop | undefined,
): TravelState {
  const device = deviceKey(login.userAgent)
  const devices =
    device === undefined ? state.devices : appendNew(state.devices, device, limits.devices)
  const firstSeenAt = Math.min(state.firstSeenAt, login.at)
  if (stop === undefined) return { ...state, firstSeenAt, devices }
  const { country } = stop.place
  return {
    ...state,
    firstSeenAt,
    devices,
    stops: insertStop(state.stops, stop),
    places: newest(
      { ...state.places, [stop.place.key]: sighted(state, stop) },
      limits.places,
      lastSeen,
    ),
    countries:
      country === undefined
        ? state.countries
        : appendNew(state.countries, country, limits.countries),
  }
}

export function rememberDetection(state: TravelState, detection: TravelDetection): TravelState {
  const { at, severity, from, to } = detection
  const earlier = state.pairs[pairKey(from, to)]?.routes ?? {}
  const routes = newest({ ...earlier, [routeKey(from, to)]: { at, severity } }, 4, (one) => one.at)
  const flagged: FlaggedPair = { at, routes }
  const pairs = { ...state.pairs, [pairKey(from, to)]: flagged }
  return { ...state, pairs: newest(pairs, limits.pairs, (pair) => pair.at) }
}

/** "This was me": from now on the place counts as one of the user's own. */
export function confirmPlace(state: TravelState, placeKey: string, at: number): TravelState {
  const seen = Array<number>(habitSightings).fill(at)
  return {
    ...state,
    places: newest({ ...state.places, [placeKey]: { seen } }, limits.places, lastSeen),
  }
}

function sighted(state: TravelState, stop: TravelStop): PlaceHabit {
  const seen = state.places[stop.place.key]?.seen ?? []
  // A burst of logins makes no habit: one sighting an hour counts.
  if (seen.some((time) => Math.abs(time - stop.at) < hour)) return { seen }
  return { seen: [...seen, stop.at].toSorted((a, b) => a - b).slice(-habitSightings) }
}

function insertStop(stops: readonly TravelStop[], stop: TravelStop): TravelStop[] {
  const sorted = [...stops, stop].toSorted((a, b) => a.at - b.at)
  // Of a run of logins at one place only the first and the last matter, so a run takes two entries.
  const kept = sorted.filter((entry, index) => {
    const previous = sorted[index - 1]
    const following = sorted[index + 1]
    const inside =
      previous?.place.key === entry.place.key && following?.place.key === entry.place.key
    return !inside
  })
  return kept.slice(-limits.stops)
}

function lastSeen(habit: PlaceHabit): number {
  return habit.seen.at(-1) ?? 0
}

function appendNew(list: readonly string[], item: string, limit: number): string[] {
  return [...list.filter((other) => other !== item), item].slice(-limit)
}

function newest<T>(
  entries: Readonly<Record<string, T>>,
  limit: number,
  timeOf: (entry: T) => number,
): Record<string, T> {
  const list = Object.entries(entries)
  if (list.length <= limit) return Object.fromEntries(list)
  return Object.fromEntries(list.toSorted((a, b) => timeOf(b[1]) - timeOf(a[1])).slice(0, limit))
}
