import { attributionOf, type Attribution } from './attribution.ts'
import type { DataPackage } from './data-packages.ts'
import { openMmdb, type MmdbFile } from './mmdb-file.ts'
import { reasonOf, type GeoLog } from './place.ts'

export type GeoKind = 'city' | 'country' | 'network'

/** Where one kind of answers comes from, for a status page. */
export interface GeoSource {
  readonly kind: GeoKind
  /** The name of the package, or the path that the operator gave. */
  readonly name: string
  readonly origin: 'package' | 'file'
  readonly state: 'loading' | 'ready'
  /** Version of a package; the publisher's name of the database for a file. */
  readonly version: string
  /** When the publisher made it, in ISO form, where the file says so. */
  readonly builtAt?: string
}

/** Opened MMDB data: one file, or one for IPv4 and one for IPv6. */
export interface MmdbSource {
  readonly source: GeoSource
  readonly attribution: readonly Attribution[]
  readonly find: (ip: string) => unknown
}

interface MmdbSourceOptions {
  readonly kind: GeoKind
  /** The operator's own file; it comes before the package. */
  readonly path: string | undefined
  readonly fallback: () => Promise<DataPackage | undefined>
  readonly attribution: readonly Attribution[]
  /** Whether a record says anything of this kind. */
  readonly holds: (record: unknown) => boolean
  readonly log: GeoLog
}

/** Never throws: a server without places is better than no server. */
export async function openMmdbSource(options: MmdbSourceOptions): Promise<MmdbSource | undefined> {
  const { kind, path, fallback, attribution, log } = options
  if (path !== undefined) {
    const own = await openOwnFile(path, options)
    if (own !== undefined) return own
  }
  try {
    const found = await fallback()
    if (found === undefined) return undefined
    const files = await Promise.all(found.files.map(openMmdb))
    const { name, version } = found
    const source: GeoSource = {
      kind,
      name,
      origin: 'package',
      state: 'ready',
      version,
      ...built(files),
    }
    return { source, attribution, find: finder(files) }
  } catch (error) {
    log.warn({ kind, reason: reasonOf(error) }, `The installed ${kind} data cannot be used.`)
    return undefined
  }
}

async function openOwnFile(
  path: string,
  { kind, holds, log }: MmdbSourceOptions,
): Promise<MmdbSource | undefined> {
  try {
    const file = await openMmdb(path)
    if (file.samples.length > 0 && !file.samples.some(holds)) {
      throw new Error(`it holds no ${kind} data, it says it is "${file.databaseType}"`)
    }
    const version = file.databaseType
    const source: GeoSource = {
      kind,
      name: path,
      origin: 'file',
      state: 'ready',
      version,
      ...built([file]),
    }
    return { source, attribution: attributionOf(file.databaseType), find: file.find }
  } catch (error) {
    log.warn(
      { kind, path, reason: reasonOf(error) },
      `The ${kind} database file cannot be used; going on without it.`,
    )
    return undefined
  }
}

function built([file]: readonly MmdbFile[]): { readonly builtAt?: string } {
  const time = file?.builtAt.getTime() ?? 0
  return time > 0 ? { builtAt: new Date(time).toISOString() } : {}
}

function finder(files: readonly MmdbFile[]): (ip: string) => unknown {
  const [only] = files
  if (files.length === 1 && only !== undefined) return only.find
  return (ip) => {
    for (const file of files) {
      const record = file.find(ip)
      if (record !== undefined) return record
    }
    return undefined
  }
}
