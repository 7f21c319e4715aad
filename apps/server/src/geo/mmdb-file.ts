import { open } from 'node:fs/promises'
import { Reader } from 'mmdb-lib'

/** The format keeps its description in the last 128 KiB, behind this mark. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataReach = 128 * 1024
const largestFile = 2 ** 30

/** Asked once at opening, so that a file that cannot be walked is found out then and not in an event. */
const probes = ['1.1.1.1', '8.8.8.8', '77.1.2.3', '130.1.2.3', '200.1.2.3', '2a00:1450::1']

export interface MmdbFile {
  readonly path: string
  /** The publisher's name of the database, such as "GeoLite2-City". */
  readonly databaseType: string
  readonly builtAt: Date
  /** The record of an address that parseIp accepts; undefined when there is none, or a broken one. */
  readonly find: (ip: string) => unknown
  /** Records of well-known addresses, to see what kind of file this is. */
  readonly samples: readonly unknown[]
}

/** Networks share records, so that the same few are decoded again and again. */
class DecodedRecords {
  readonly #records = new Map<string | number, unknown>()

  get(offset: string | number): unknown {
    return this.#records.get(offset)
  }

  set(offset: string | number, record: unknown): void {
    if (this.#records.size >= 4096) this.#records.clear()
    this.#records.set(offset, record)
  }
}

/** Reads the whole file without blocking; throws with a reason when it is no sound MMDB file. */
export async function openMmdb(path: string): Promise<MmdbFile> {
  const bytes = await readWhole(path)
  if (bytes.subarray(-metadataReach).lastIndexOf(metadataMark) === -1) {
    throw new Error('it is not an MMDB file, or its end is missing')
  }
  const reader = new Reader(bytes, { cache: new DecodedRecords() })
  const { searchTreeSize, ipVersion, databaseType, buildEpoch } = reader.metadata
  if (!(searchTreeSize > 0 && searchTreeSize + 16 <= bytes.length)) {
    throw new Error('its search tree is longer than the file')
  }
  const read = (ip: string): unknown =>
    // An IPv4 tree would take the first bits of an IPv6 address for an IPv4 one, and answer.
    ipVersion === 4 && ip.includes(':') ? undefined : (reader.get(ip) ?? undefined)
  const samples = probes.map(read).filter((record) => record !== undefined)
  const find = (ip: string): unknown => {
    try {
      return read(ip)
    } catch {
      return undefined
    }
  }
  return { path, databaseType: String(databaseType), builtAt: buildEpoch, find, samples }
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const stat = await file.stat()
    // A directory or a device would be read for ever, or not at all.
    if (!stat.isFile()) throw new Error('it is not a file')
    if (stat.size > largestFile) throw new Error('it is larger than 1 GiB')
    return await file.readFile()
  } finally {
    await file.close()
  }
}
