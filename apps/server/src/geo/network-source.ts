import type { Address } from './address.ts'
import type { AsnTable, Network } from './asn-table.ts'
import { loadAsnTable } from './asn-cache.ts'
import { asnAttribution, type Attribution } from './attribution.ts'
import { findAsnPackage } from './data-packages.ts'
import { openMmdbSource, type GeoSource } from './data-source.ts'
import { reasonOf, type GeoLog } from './place.ts'
import { networkOf } from './records.ts'

/** Who announces an address: the operator's MMDB file, or the table compiled from the package. */
export interface NetworkSource {
  readonly source: GeoSource | undefined
  readonly attribution: readonly Attribution[]
  /** Settles when there is nothing more to load; it never rejects. */
  readonly ready: Promise<void>
  find(address: Address): Partial<Network>
}

interface NetworkSourceOptions {
  readonly path: string | undefined
  readonly cacheDir: string
  readonly log: GeoLog
  readonly signal: AbortSignal
  /** Called when answers begin to be different from before. */
  readonly onLoaded: () => void
}

const noNetwork: Partial<Network> = Object.freeze({})

export async function openNetworkSource(options: NetworkSourceOptions): Promise<NetworkSource> {
  const { path, log } = options
  if (path !== undefined) {
    const own = await openMmdbSource({
      kind: 'network',
      path,
      fallback: () => Promise.resolve(undefined),
      attribution: [],
      holds: (record) => networkOf(record).asn !== undefined,
      log,
    })
    if (own !== undefined) {
      const { source, attribution, find } = own
      return {
        source,
        attribution,
        ready: Promise.resolve(),
        find: ({ text }) => networkOf(find(text)),
      }
    }
  }
  return compiledSource(options)
}

function compiledSource(options: NetworkSourceOptions): NetworkSource {
  let table: AsnTable | undefined
  let source: GeoSource | undefined
  const load = async (): Promise<void> => {
    const found = await findAsnPackage()
    const [v4, v6] = found?.files ?? []
    if (found === undefined || v4 === undefined || v6 === undefined) return
    const { name, version } = found
    source = { kind: 'network', name, origin: 'package', state: 'loading', version }
    table = await loadAsnTable({ ...options, source: { version, v4, v6 } })
    source = { ...source, state: 'ready' }
    options.onLoaded()
  }
  const ready = load().catch((error: unknown) => {
    source = undefined
    if (options.signal.aborted) return
    options.log.warn({ reason: reasonOf(error) }, 'The installed network data cannot be used.')
  })
  return {
    get source() {
      return source
    },
    get attribution() {
      return source === undefined ? [] : asnAttribution
    },
    ready,
    find: (address) => table?.find(address) ?? noNetwork,
  }
}
