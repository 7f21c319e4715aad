export type { Attribution } from './attribution.ts'
export type { GeoKind, GeoSource } from './data-source.ts'
export { openGeo, type Geo, type GeoOptions } from './open-geo.ts'
export type { GeoLog, Place } from './place.ts'
