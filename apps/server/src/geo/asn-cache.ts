import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { decodeAsnTable, type AsnTable } from './asn-table.ts'
import { compileAsn, type AsnFiles } from './compile-asn.ts'
import { reasonOf, type GeoLog } from './place.ts'

/** The real table has 12 MB; something far larger under its name is not ours. */
const largestTable = 256 * 1024 * 1024

export interface AsnSource extends AsnFiles {
  readonly version: string
}

interface AsnCacheOptions {
  readonly source: AsnSource
  readonly cacheDir: string
  readonly log: GeoLog
  readonly signal: AbortSignal
}

/** The table of this version of the data: from the cache, or compiled once and put there. */
export async function loadAsnTable(options: AsnCacheOptions): Promise<AsnTable> {
  const { source, cacheDir, log, signal } = options
  const name = `asn-${source.version.replaceAll(/[^\w.-]/g, '_')}.bin`
  const cached = await readTable(join(cacheDir, name), log)
  if (cached !== undefined) return cached

  const { bytes, skipped } = await compileAsn(source, signal)
  if (skipped > 0) log.info({ skipped }, 'Some rows of the network data were not usable.')
  await setImmediate()
  const table = decodeAsnTable(bytes)
  if (table === undefined || table.ranges === 0) throw new Error('no row of it could be read')
  try {
    await writeTable(cacheDir, name, bytes)
  } catch (error) {
    // The table works from memory; only the next start compiles it again.
    log.warn({ cacheDir, reason: reasonOf(error) }, 'The network table could not be cached.')
  }
  return table
}

async function readTable(path: string, log: GeoLog): Promise<AsnTable | undefined> {
  let bytes: Uint8Array
  try {
    bytes = await readAligned(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    log.warn({ path, reason: reasonOf(error) }, 'The cached network table cannot be read.')
    return undefined
  }
  const table = decodeAsnTable(bytes)
  if (table === undefined)
    log.warn({ path }, 'The cached network table is damaged: making it anew.')
  return table
}

/** A pooled buffer may begin at any byte; the table is read as 32-bit words and must not. */
async function readAligned(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > largestTable) throw new Error('it is too large')
    const bytes = new Uint8Array(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await file.read(bytes, filled, size - filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await file.close()
  }
}

/** Written aside and renamed, so that nobody ever opens half a table under the real name. */
async function writeTable(cacheDir: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(cacheDir, { recursive: true })
  const draft = join(cacheDir, `${name}.${process.pid}.draft`)
  try {
    await writeFile(draft, bytes)
    await rename(draft, join(cacheDir, name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  const files = await readdir(cacheDir)
  const outdated = files.filter((file) => /^asn-.+\.bin/.test(file) && !file.startsWith(name))
  await Promise.all(outdated.map((file) => rm(join(cacheDir, file), { force: true })))
}
