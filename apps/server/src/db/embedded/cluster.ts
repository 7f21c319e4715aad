import { randomBytes } from 'node:crypto'
import {
  chown,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { giveTo, runAs } from './account.ts'
import { programPath } from './native-folder.ts'
import { CLUSTER_FOLDER, PASSWORD_FILE, linkCluster } from './placement.ts'
import type { Placement } from './placement.ts'

export const SUPERUSER = 'merlon'

export interface ClusterOptions {
  readonly dataDir: string
  readonly placement: Placement
  /** False skips flushing to disk, for databases that live as long as a test. */
  readonly durable: boolean
}

/** Opens the cluster of a data directory, making it first where there is none. */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { dataDir, placement } = options
  const cluster = join(placement.home, CLUSTER_FOLDER)
  await removeUnfinished(placement.home)
  if (await isCluster(cluster)) await requireSameVersion(cluster, placement)
  else await createCluster(options, cluster)
  await linkCluster(dataDir, placement.home)
  await giveTo(placement.account.owner, cluster)
  return cluster
}

export async function isCluster(path: string): Promise<boolean> {
  return stat(join(path, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

export async function readPassword(dataDir: string): Promise<string> {
  try {
    return (await readFile(join(dataDir, PASSWORD_FILE), 'utf8')).trim()
  } catch (cause) {
    throw new Error(
      `The password of the database is missing: ${join(dataDir, PASSWORD_FILE)} cannot be read. ` +
        'Bring that file back, or restore a backup.',
      { cause },
    )
  }
}

/** The new cluster takes its name when it is complete, so a start cut short leaves none. */
async function createCluster(options: ClusterOptions, cluster: string): Promise<void> {
  const { account, native, home } = options.placement
  const unfinished = `${cluster}.new-${randomBytes(4).toString('hex')}`
  const password = randomBytes(24).toString('base64url')
  const passwordFile = `${unfinished}.password`
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account.owner !== undefined) {
    await chown(unfinished, account.owner.uid, account.owner.gid)
    await chown(passwordFile, account.owner.uid, account.owner.gid)
  }
  try {
    await runAs(
      account,
      programPath(native, 'initdb'),
      [
        `--pgdata=${unfinished}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { cwd: home, env: programEnvironment() },
    )
  } catch (cause) {
    throw new Error(`The embedded PostgreSQL could not create its files in ${home}.`, { cause })
  } finally {
    await rm(passwordFile, { force: true })
  }
  const kept = join(options.dataDir, PASSWORD_FILE)
  await writeFile(`${kept}.new`, `${password}\n`, { mode: 0o600 })
  await rename(`${kept}.new`, kept)
  await rename(unfinished, cluster)
}

/** Nothing of the operator's shell is passed on: PGDATA or PGPORT of somebody else must not steer our server. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return { PATH: path, SystemRoot: 'C:\\Windows', LC_ALL: 'C', TZ: 'UTC' }
}

async function requireSameVersion(cluster: string, placement: Placement): Promise<void> {
  const made = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  const program = await programVersion(placement.native)
  if (program !== undefined && program !== made) {
    throw new Error(
      `The database in ${cluster} was made by PostgreSQL ${made}, and this Merlon brings PostgreSQL ${program}. ` +
        'Start the Merlon that made it, or restore its data into a new data directory.',
    )
  }
}

/** The bootstrap file opens with the line "# PostgreSQL 18". */
async function programVersion(native: string): Promise<string | undefined> {
  const file = await open(join(native, 'share', 'postgresql', 'postgres.bki')).catch(
    () => undefined,
  )
  if (file === undefined) return undefined
  try {
    const { buffer } = await file.read(Buffer.alloc(32), 0, 32, 0)
    return /^# PostgreSQL (\d+)/.exec(buffer.toString('latin1'))?.[1]
  } finally {
    await file.close()
  }
}

async function removeUnfinished(home: string): Promise<void> {
  for (const entry of await readdir(home)) {
    if (entry.startsWith(`${CLUSTER_FOLDER}.new-`)) {
      await rm(join(home, entry), { recursive: true, force: true })
    }
  }
}
