import type { Geo, Place } from '../src/geo/index.ts'

export interface FakeGeo extends Geo {
  /** Says where an address is from now on. */
  place(ip: string, place: Place): void
}

/** Knows only what a test tells it, so that a test says by itself who is where. */
export function fakeGeo(): FakeGeo {
  const places = new Map<string, Place>()
  return {
    lookup: (ip: string) => places.get(ip) ?? {},
    place(ip: string, place: Place) {
      places.set(ip, place)
    },
    attribution: [],
    sources: [],
    ready: Promise.resolve(),
    close: async () => undefined,
  }
}
