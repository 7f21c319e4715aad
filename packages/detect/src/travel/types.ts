import type { Severity } from '@merlon/base'
import type { Located, Place } from '../geo/place.ts'
import type { NetworkClass } from '../network/asn-class.ts'

export interface TravelLogin extends Located {
  /** Epoch milliseconds of the login itself, not of its arrival. */
  readonly at: number
  readonly ip: string
  readonly asn?: number
  readonly asnName?: string
  readonly userAgent?: string
}

export interface TravelStop {
  readonly at: number
  readonly ip: string
  readonly place: Place
  readonly network: NetworkClass
  readonly asn?: number
  readonly asnName?: string
}

export interface PlaceHabit {
  /** Sightings that count, at most three, newest last. */
  readonly seen: readonly number[]
}

export interface FlaggedPair {
  readonly at: number
  /** The last report per pair of networks, at most four. */
  readonly routes: Readonly<Record<string, { readonly at: number; readonly severity: Severity }>>
}

/** What is remembered of one user's logins; plain JSON of a few kilobytes at most. */
export interface TravelState {
  readonly firstSeenAt: number
  /** The latest logins that had a place, oldest first. */
  readonly stops: readonly TravelStop[]
  readonly places: Readonly<Record<string, PlaceHabit>>
  readonly pairs: Readonly<Record<string, FlaggedPair>>
  readonly countries: readonly string[]
  readonly devices: readonly string[]
}

export interface TravelOptions {
  readonly maxSpeedKmh: number
  readonly minDistanceKm: number
  /** A user this young has no habits yet. */
  readonly newUserMs: number
  /** The same journey is not reported again within this time. */
  readonly repeatMs: number
  /** Nor is one between two of the user's own places, on a known device, within this time. */
  readonly habitRepeatMs: number
}

export interface TravelDetection {
  readonly type: 'auth.impossible_travel'
  readonly severity: Severity
  readonly at: number
  /** 0 to 1: how sure it is that the same person cannot have made both logins. */
  readonly confidence: number
  /** Distance between the middles of the two places, and the speed that would take. */
  readonly km: number
  readonly kmh: number
  /** The shortest distance that the two places allow. */
  readonly leastKm: number
  readonly minutes: number
  readonly from: TravelStop
  readonly to: TravelStop
  /** Sentences: what was seen, and what lowered the severity. */
  readonly reasons: readonly string[]
}

export interface TravelResult {
  readonly state: TravelState
  readonly detection?: TravelDetection
}

const hour = 3_600_000
const day = 24 * hour

export const travelDefaults: TravelOptions = {
  maxSpeedKmh: 900,
  minDistanceKm: 100,
  newUserMs: 7 * day,
  repeatMs: day,
  habitRepeatMs: 30 * day,
}
