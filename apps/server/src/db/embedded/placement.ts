import { createHash } from 'node:crypto'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  canEnter,
  canRun,
  listServiceAccounts,
  namespaceAccount,
  ownAccount,
  switchedAccount,
} from './account.ts'
import type { Account } from './account.ts'
import { copyNativeFolder, programPath } from './native-folder.ts'

/** Where the database lives and as whom it runs. */
export interface Placement {
  readonly account: Account
  readonly native: string
  /** The folder that holds the cluster; the data directory, unless root had to move it. */
  readonly home: string
}

export interface PlacementOptions {
  readonly dataDir: string
  readonly native: string
  /** Whether a user namespace may be tried; a container often forbids it. */
  readonly namespaces?: boolean
  readonly relocationRoot?: string
}

export const CLUSTER_FOLDER = 'postgres'
export const PASSWORD_FILE = 'postgres-password'

/**
 * An ordinary user runs PostgreSQL as itself. Root must not, so it picks the first way that works:
 * another account, a user namespace, or a place of its own that the other account can reach.
 */
export async function choosePlacement(options: PlacementOptions): Promise<Placement> {
  const uid = process.getuid?.()
  const cluster = await findCluster(options.dataDir)
  if (uid !== 0) {
    if (cluster !== undefined && uid !== undefined && cluster.uid !== uid) {
      throw new Error(
        `The database in ${cluster.path} belongs to the user with id ${cluster.uid}, and this process runs as ${uid}. ` +
          'Start Merlon as that user (or as root), or change the owner of the folder.',
      )
    }
    return { account: ownAccount, native: options.native, home: homeOf(options, cluster) }
  }
  return placeForRoot(options, cluster)
}

interface FoundCluster {
  readonly path: string
  readonly uid: number
  readonly gid: number
}

async function findCluster(dataDir: string): Promise<FoundCluster | undefined> {
  const path = join(dataDir, CLUSTER_FOLDER)
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined) return { path: await realpath(path), uid: found.uid, gid: found.gid }
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink()) {
    throw new Error(
      `The database of ${dataDir} was placed in ${await readlink(path)}, which is gone. Bring it back or restore a backup.`,
    )
  }
  return undefined
}

function homeOf(options: PlacementOptions, cluster: FoundCluster | undefined): string {
  return cluster === undefined ? options.dataDir : dirname(cluster.path)
}

async function placeForRoot(
  options: PlacementOptions,
  cluster: FoundCluster | undefined,
): Promise<Placement> {
  const home = homeOf(options, cluster)
  // Whoever owns the files keeps them, so that a directory of a user stays usable by that user.
  const { uid, gid } = cluster ?? (await stat(home))
  const keeper = uid === 0 ? [] : [switchedAccount({ uid, gid })]
  const accounts = [...keeper, ...(await listServiceAccounts())]
  const reached = await firstThatReaches(accounts, home, options.native)
  if (reached !== undefined) return reached
  if (options.namespaces !== false) {
    const program = programPath(options.native, 'postgres')
    if ((await canEnter(namespaceAccount, home)) && (await canRun(namespaceAccount, program))) {
      return { account: namespaceAccount, native: options.native, home }
    }
  }
  if (await letOthersPass(home)) {
    const opened = await firstThatReaches(accounts, home, options.native)
    if (opened !== undefined) return opened
  }
  return relocate(options, cluster, accounts)
}

async function firstThatReaches(
  accounts: readonly Account[],
  home: string,
  native: string,
): Promise<Placement | undefined> {
  for (const account of accounts) {
    if (!(await canEnter(account, home))) continue
    if (await canRun(account, programPath(native, 'postgres'))) return { account, native, home }
    const copy = await copyNativeFolder(native, home)
    if (await canRun(account, programPath(copy, 'postgres'))) {
      return { account, native: copy, home }
    }
  }
  return undefined
}

/** Search permission alone: names inside cannot be listed, and each file keeps its own mode. */
async function letOthersPass(home: string): Promise<boolean> {
  const { uid, mode } = await stat(home)
  if (uid !== 0 || (mode & 0o001) !== 0) return false
  await chmod(home, (mode & 0o777) | 0o111)
  return true
}

/**
 * The last resort for a data directory that no other account can reach. A link in the data
 * directory leads to the new place, so every later start and every backup finds it.
 */
async function relocate(
  options: PlacementOptions,
  cluster: FoundCluster | undefined,
  accounts: readonly Account[],
): Promise<Placement> {
  const root = options.relocationRoot ?? '/var/lib/merlon'
  const hash = createHash('sha256')
    .update(await realpath(options.dataDir))
    .digest('hex')
  const home = join(root, hash.slice(0, 16))
  await mkdir(home, { recursive: true, mode: 0o711 }).catch((error: unknown) => {
    throw cannotRun(options.dataDir, error)
  })
  const placement = await firstThatReaches(accounts, home, options.native)
  if (placement === undefined) throw cannotRun(options.dataDir)
  const target = join(home, CLUSTER_FOLDER)
  const password = await stat(join(options.dataDir, PASSWORD_FILE)).catch(() => undefined)
  // No link leads here, so a cluster found here without its password is that of a data directory
  // deleted long ago. It is nobody's now, but deleting it is not ours to decide.
  if (cluster !== undefined || password === undefined) await setAside(target)
  if (cluster !== undefined) await moveCluster(cluster.path, target)
  return placement
}

/** Leaves the way to a cluster that stands elsewhere; called once the cluster is complete. */
export async function linkCluster(dataDir: string, home: string): Promise<void> {
  const link = join(dataDir, CLUSTER_FOLDER)
  if (home !== dataDir && !(await lstat(link).catch(() => undefined))) {
    await symlink(join(home, CLUSTER_FOLDER), link)
  }
}

async function moveCluster(from: string, to: string): Promise<void> {
  const unfinished = `${to}.moving`
  await rm(unfinished, { recursive: true, force: true })
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
  await rename(unfinished, to)
  await rm(from, { recursive: true, force: true })
}

async function setAside(path: string): Promise<void> {
  const isThere = (await lstat(path).catch(() => undefined)) !== undefined
  if (isThere) await rename(path, `${path}.left-${Date.now()}`)
}

function cannotRun(dataDir: string, cause?: unknown): Error {
  return new Error(
    'PostgreSQL does not run as root, and no other account on this machine can reach ' +
      `${dataDir}. Start Merlon as an ordinary user, set MERLON_DATA_DIR to a directory other ` +
      'accounts can enter, or set DATABASE_URL.',
    { cause },
  )
}
