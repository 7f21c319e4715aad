import { separationOf, type Place } from '../geo/place.ts'
import type { TravelOptions } from './types.ts'

/**
 * certain: even the nearest points of the two places are too far apart.
 * likely: too far for most people who live there, yet the places come close somewhere.
 * possible: country data alone cannot tell, but the two may be over 2,000 km apart.
 */
export type Strength = 'certain' | 'likely' | 'possible'

export interface Evidence {
  readonly strength: Strength
  readonly probability: number
  readonly km: number
  readonly kmh: number
  readonly leastKm: number
}

const hour = 3_600_000

/** Two logins in one millisecond would be infinitely fast, which neither JSON nor a reader can take. */
const shortestMs = 60_000

/** No honest trip to a neighbouring country, however short, fits two logins into less than this. */
const hopMs = hour

/** A distance that must not be missed in under an hour, even where countries touch. */
const alwaysFoundKm = 2000

export function travelEvidence(
  from: Place,
  to: Place,
  elapsedMs: number,
  options: TravelOptions,
): Evidence | undefined {
  if (from.key === to.key) return undefined
  const hours = Math.max(Math.abs(elapsedMs), shortestMs) / hour
  const tooFast = (km: number) => km > options.minDistanceKm && km / hours > options.maxSpeedKmh
  const separation = separationOf(from, to)
  if (!Number.isFinite(separation.nearestKm)) return undefined
  const probability = separation.options.reduce(
    (sum, option) => sum + (tooFast(option.km) ? option.weight : 0),
    0,
  )
  const found = (strength: Strength): Evidence => ({
    strength,
    probability,
    km: Math.round(separation.typicalKm),
    kmh: Math.round(separation.typicalKm / hours),
    leastKm: Math.round(separation.nearestKm),
  })
  if (tooFast(separation.nearestKm)) return found('certain')
  // With coordinates on both sides there is one distance, and it was feasible.
  if (isExact(from) && isExact(to)) return undefined
  if (from.country === to.country) return undefined
  if (probability >= 0.95) return found('likely')
  if (Math.abs(elapsedMs) >= hopMs) return undefined
  if (probability >= 0.5 || tooFast(separation.typicalKm)) return found('likely')
  return separation.farthestKm >= alwaysFoundKm ? found('possible') : undefined
}

function isExact(place: Place): boolean {
  return place.lat !== undefined && place.lon !== undefined
}
