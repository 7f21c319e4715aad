import { countryDiscs, type Disc } from './countries.ts'
import { haversineKm } from './haversine.ts'

/** What is known of where an address is: coordinates from a city database, or a country alone. */
export interface Located {
  readonly country?: string
  readonly city?: string
  readonly lat?: number
  readonly lon?: number
  readonly accuracyKm?: number
}

/** A place as a detection keeps it; plain JSON. */
export interface Place {
  /** Two sightings with the same key are the same place. */
  readonly key: string
  readonly country?: string
  readonly city?: string
  readonly lat?: number
  readonly lon?: number
  readonly accuracyKm?: number
}

/** City databases without a radius of their own are right to about this distance. */
const cityAccuracyKm = 50

export function placeOf(located: Located): Place | undefined {
  const country = located.country?.toUpperCase()
  const { lat, lon } = located
  if (isLatitude(lat) && isLongitude(lon)) {
    // Half a degree: the same city under two database versions must stay the same place.
    const grid = `${Math.round(lat * 2) / 2},${Math.round(lon * 2) / 2}`
    return {
      key: `${country ?? '??'}@${grid}`,
      ...(country === undefined ? {} : { country }),
      ...(located.city === undefined ? {} : { city: located.city }),
      lat,
      lon,
      accuracyKm: Math.max(0, located.accuracyKm ?? cityAccuracyKm),
    }
  }
  if (country === undefined || countryDiscs(country) === undefined) return undefined
  return { key: country, country }
}

export function placeName(place: Place): string {
  const parts = [place.city, place.country].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(', ') : `${place.lat}, ${place.lon}`
}

export interface Separation {
  /** Nobody at one place can be nearer to the other than this. */
  readonly nearestKm: number
  readonly typicalKm: number
  readonly farthestKm: number
  /** Every combination of where the two could really be, with its probability. */
  readonly options: readonly { readonly km: number; readonly weight: number }[]
}

export function separationOf(from: Place, to: Place): Separation {
  const options: { km: number; weight: number }[] = []
  let typicalKm = 0
  let farthestKm = 0
  let total = 0
  for (const a of discsOf(from)) {
    for (const b of discsOf(to)) {
      const centreKm = haversineKm({ lat: a[0], lon: a[1] }, { lat: b[0], lon: b[1] })
      const weight = a[3] * b[3]
      options.push({ km: Math.max(0, centreKm - a[2] - b[2]), weight })
      typicalKm += centreKm * weight
      // People also live outside the circles, hence twice the radius.
      farthestKm = Math.max(farthestKm, centreKm + 2 * (a[2] + b[2]))
      total += weight
    }
  }
  return {
    nearestKm: Math.min(...options.map((option) => option.km)),
    typicalKm: typicalKm / total,
    farthestKm,
    options: options.map(({ km, weight }) => ({ km, weight: weight / total })),
  }
}

function discsOf(place: Place): readonly Disc[] {
  if (place.lat !== undefined && place.lon !== undefined) {
    return [[place.lat, place.lon, place.accuracyKm ?? cityAccuracyKm, 100]]
  }
  return countryDiscs(place.country ?? '') ?? []
}

function isLatitude(lat: number | undefined): lat is number {
  return lat !== undefined && Number.isFinite(lat) && Math.abs(lat) <= 90
}

function isLongitude(lon: number | undefined): lon is number {
  return lon !== undefined && Number.isFinite(lon) && Math.abs(lon) <= 180
}
