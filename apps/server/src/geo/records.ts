import type { Draft, Place } from './place.ts'

/**
 * Publishers lay the same facts out differently: MaxMind nests them (country.iso_code,
 * location.latitude), ip-location-db keeps them flat (country_code, latitude), IPinfo writes the
 * network number as "AS13335". Whatever a file holds beyond that is left alone, and a value of the
 * wrong kind counts as missing: the file is the operator's, but nobody promises that it is right.
 */
export function locationOf(record: unknown): Place {
  const place: Draft = {}
  const country = countryOf(record)
  const city = cityOf(record)
  if (country !== undefined) place.country = country
  if (city !== undefined) place.city = city
  addPoint(place, record)
  return place
}

export function networkOf(record: unknown): Place {
  const number = field(record, 'autonomous_system_number') ?? field(record, 'asn')
  const asn = Number(typeof number === 'string' ? number.replace(/^AS/i, '') : number)
  if (!Number.isInteger(asn) || asn <= 0 || asn > 0xffff_ffff) return {}
  const asnName =
    text(field(record, 'autonomous_system_organization')) ??
    text(field(record, 'as_name')) ??
    text(field(record, 'name'))
  return asnName === undefined ? { asn } : { asn, asnName }
}

export function countryOf(record: unknown): string | undefined {
  const country = field(record, 'country')
  const candidates = [
    field(record, 'country_code'),
    field(country, 'iso_code'),
    country,
    field(field(record, 'registered_country'), 'iso_code'),
  ]
  // ZZ is how registries write "unknown".
  return candidates.find(
    (code): code is string => typeof code === 'string' && /^[A-Z]{2}$/.test(code) && code !== 'ZZ',
  )
}

function cityOf(record: unknown): string | undefined {
  const city = field(record, 'city')
  const name = text(city) ?? text(field(field(city, 'names'), 'en')) ?? text(field(city, 'name'))
  // DB-IP adds the district in brackets; with it one city would count as many.
  return text(name?.replace(/ \([^()]*\)$/, ''))
}

function addPoint(place: Draft, record: unknown): void {
  const location = field(record, 'location') ?? record
  const lat = degrees(field(location, 'latitude') ?? field(location, 'lat'), 90)
  const lon = degrees(field(location, 'longitude') ?? field(location, 'lng'), 180)
  // Nobody lives at 0, 0: publishers write it for "unknown", and a journey from there would alarm.
  if (lat === undefined || lon === undefined || (lat === 0 && lon === 0)) return
  place.lat = lat
  place.lon = lon
  const radius = field(location, 'accuracy_radius')
  if (typeof radius === 'number' && radius > 0 && radius <= 20_040) place.accuracyKm = radius
}

function degrees(value: unknown, limit: number): number | undefined {
  const given = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof given !== 'number' || !(Math.abs(given) <= limit)) return undefined
  // Files store 4-byte floats; four decimals are eleven metres, the rest is noise of the storing.
  return Math.round(given * 10_000) / 10_000
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function field(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, name))
    return undefined
  return (record as Readonly<Record<string, unknown>>)[name]
}
