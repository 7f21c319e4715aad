export interface Coordinates {
  readonly lat: number
  readonly lon: number
}

const earthRadiusKm = 6371.0088
const radians = Math.PI / 180

/** Distance in km along the surface of the earth. */
export function haversineKm(from: Coordinates, to: Coordinates): number {
  const halfLat = Math.sin(((to.lat - from.lat) * radians) / 2)
  const halfLon = Math.sin(((to.lon - from.lon) * radians) / 2)
  const cosines = Math.cos(from.lat * radians) * Math.cos(to.lat * radians)
  const chord = halfLat * halfLat + cosines * halfLon * halfLon
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(chord)))
}
