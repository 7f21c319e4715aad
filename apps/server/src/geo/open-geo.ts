import { publicAddress, type Address } from './address.ts'
import {
  cityAttribution,
  countryAttribution,
  withoutRepeats,
  type Attribution,
} from './attribution.ts'
import { findCityPackage, findCountryPackage } from './data-packages.ts'
import { openMmdbSource, type GeoSource } from './data-source.ts'
import { openNetworkSource } from './network-source.ts'
import { nowhere, type Draft, type GeoLog, type Place } from './place.ts'
import { RecentPlaces } from './recent-places.ts'
import { countryOf, locationOf } from './records.ts'

export interface Geo {
  /** Never throws, whatever the text; private, reserved and unknown addresses are an empty place. */
  lookup(ip: string): Place
  /** Whom a page that shows places must name: of the data that is in use now. */
  readonly attribution: readonly Attribution[]
  readonly sources: readonly GeoSource[]
  /** Settles when the network table is loaded too, or cannot be; it never rejects. */
  readonly ready: Promise<void>
  /** Stops what is still being loaded. Lookups go on working. */
  close(): Promise<void>
}

export interface GeoOptions {
  readonly cityPath?: string | undefined
  readonly countryPath?: string | undefined
  readonly asnPath?: string | undefined
  /** Where the compiled network table is kept, such as `<dataDir>/cache`. */
  readonly cacheDir: string
  readonly log: GeoLog
  /** How many places are remembered. */
  readonly remembered?: number
}

/** Comes back with places at once; networks follow when their table is ready, in the background. */
export async function openGeo(options: GeoOptions): Promise<Geo> {
  const { cityPath, countryPath, asnPath, cacheDir, log, remembered = 65_536 } = options
  const recent = new RecentPlaces(remembered)
  const stop = new AbortController()
  const [city, country] = await Promise.all([
    openMmdbSource({
      kind: 'city',
      path: cityPath,
      fallback: findCityPackage,
      attribution: cityAttribution,
      holds: holdsCity,
      log,
    }),
    openMmdbSource({
      kind: 'country',
      path: countryPath,
      fallback: findCountryPackage,
      attribution: countryAttribution,
      holds: (record) => countryOf(record) !== undefined,
      log,
    }),
  ])
  const network = await openNetworkSource({
    path: asnPath,
    cacheDir,
    log,
    signal: stop.signal,
    // What was answered before knows no networks.
    onLoaded: () => recent.clear(),
  })

  const find = (address: Address): Place => {
    // A city and its country come from one record, so that the two never contradict each other.
    const place: Draft = city === undefined ? {} : locationOf(city.find(address.text))
    const code = place.country ?? countryOf(country?.find(address.text))
    if (code !== undefined) place.country = code
    const { asn, asnName } = network.find(address)
    if (asn !== undefined) place.asn = asn
    if (asnName !== undefined) place.asnName = asnName
    return Object.freeze(place)
  }

  return {
    lookup(ip) {
      const known = recent.get(ip)
      if (known !== undefined) return known
      const address = publicAddress(ip)
      // Not remembered: texts that are no address would push out the ones that are.
      if (address === undefined) return nowhere
      const place = find(address)
      recent.set(ip, place)
      return place
    },
    get attribution() {
      const used = [city, country, network].flatMap((source) => source?.attribution ?? [])
      return withoutRepeats(used)
    },
    get sources() {
      return [city, country, network].flatMap((opened) => opened?.source ?? [])
    },
    ready: network.ready,
    async close() {
      stop.abort()
      await network.ready
    },
  }
}

function holdsCity(record: unknown): boolean {
  const { city, lat } = locationOf(record)
  return city !== undefined || lat !== undefined
}
