import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readlink, rename, rm, symlink, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { lockDataDirectory } from '../data-directory-lock.ts'
import { MANIFEST_FILE, parseManifest } from './backup-manifest.ts'
import type { BackupManifest } from './backup-manifest.ts'
import { readTar } from './tar-reader.ts'

export interface RestoreOptions {
  readonly dataDir: string
  readonly from: string
  /** Moves what is in the data directory aside instead of refusing. */
  readonly force: boolean
  readonly log: (line: string) => void
}

const ASIDE_PREFIX = 'before-restore-'
const STAGING_PREFIX = '.restore-'
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024

/** Unpacks and checks a backup beside the present files, and swaps only when it is sound. */
export async function restoreEmbedded(options: RestoreOptions): Promise<void> {
  const { from, force, log } = options
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const serverLock = await lockDataDirectory(dataDir)
  const postgresLock = await lockDataDirectory(dataDir, 'postgres').catch(
    async (error: unknown) => {
      await serverLock.release()
      throw error
    },
  )
  try {
    const present = await listPresent(dataDir)
    if (present.length > 0 && !force) {
      throw new Error(
        `The data directory ${dataDir} is not empty. Restore into another one, or force it: what is there is then moved aside.`,
      )
    }
    const staging = join(dataDir, `${STAGING_PREFIX}${randomBytes(4).toString('hex')}`)
    await mkdir(staging, { mode: 0o700 })
    try {
      const manifest = await unpackChecked(from, staging)
      if (present.length > 0) log(`The earlier files are in ${await moveAside(dataDir, present)}`)
      for (const entry of await readdir(staging)) {
        await rename(join(staging, entry), join(dataDir, entry))
      }
      log(`Restored the backup of ${manifest.createdAt} into ${dataDir}`)
    } finally {
      await rm(staging, { recursive: true, force: true })
    }
  } finally {
    await postgresLock.release()
    await serverLock.release()
  }
}

/** Everything but our own locks and the traces of earlier restores. */
async function listPresent(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir)
  const ours = ['.lock-', ASIDE_PREFIX, STAGING_PREFIX]
  return entries.filter((entry) => !ours.some((prefix) => entry.startsWith(prefix)))
}

/** Inside the data directory, because that may be a mount that cannot be renamed itself. */
async function moveAside(dataDir: string, entries: readonly string[]): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const aside = join(dataDir, `${ASIDE_PREFIX}${stamp}`)
  await mkdir(aside, { mode: 0o700 })
  for (const entry of entries) {
    const path = join(dataDir, entry)
    const target = await readlink(path).catch(() => undefined)
    if (target === undefined) await rename(path, join(aside, entry))
    else await moveLinkedAside(path, target, join(aside, entry), stamp)
  }
  return aside
}

/** A cluster placed elsewhere must leave its place too, for the restored one will take it. */
async function moveLinkedAside(
  link: string,
  target: string,
  aside: string,
  stamp: string,
): Promise<void> {
  const kept = `${target}.${ASIDE_PREFIX}${stamp}`
  await rename(target, kept)
  await symlink(kept, aside)
  await unlink(link)
}

async function unpackChecked(from: string, staging: string): Promise<BackupManifest> {
  const found: Record<string, string> = {}
  let manifest: BackupManifest | undefined
  const unzipped = createGunzip()
  // The reader below sees the error of either end; the callback only keeps it from being thrown twice.
  pipeline(createReadStream(from), unzipped, () => undefined)
  try {
    for await (const entry of readTar(unzipped)) {
      if (entry.type === 'folder') {
        await mkdir(join(staging, entry.path), { recursive: true, mode: 0o700 })
      } else if (entry.path === MANIFEST_FILE) {
        manifest = parseManifest(await readText(entry.content))
      } else if (entry.path in found) {
        throw new Error(`This is not a sound backup: ${entry.path} is there twice.`)
      } else {
        found[entry.path] = await writeHashed(join(staging, entry.path), entry.content)
      }
    }
  } finally {
    unzipped.destroy()
  }
  if (manifest === undefined) throw new Error('This is not a sound backup: it has no manifest.')
  requireSame(manifest.files, found)
  return manifest
}

async function writeHashed(path: string, content: AsyncIterable<Buffer>): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    length += chunk.length
    if (length > MANIFEST_BYTES_MAX) throw new Error('The manifest of this backup is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function requireSame(
  expected: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): void {
  const paths = new Set([...Object.keys(expected), ...Object.keys(found)])
  for (const path of paths) {
    if (expected[path] !== found[path]) {
      throw new Error(
        `This backup is damaged: ${path} is not what was written. Nothing was changed.`,
      )
    }
  }
}
