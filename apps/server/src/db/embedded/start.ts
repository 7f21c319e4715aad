import { mkdir, realpath, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { lockDataDirectory } from '../data-directory-lock.ts'
import { SUPERUSER, ensureCluster, programEnvironment, readPassword } from './cluster.ts'
import { removeEmbeddedConnection, writeEmbeddedConnection } from './connection-file.ts'
import type { EmbeddedConnection } from './connection-file.ts'
import { prepareListening, removeListening } from './listening.ts'
import { findNativeFolder, prepareNativeFolder, programPath } from './native-folder.ts'
import { CLUSTER_FOLDER, choosePlacement } from './placement.ts'
import type { Placement } from './placement.ts'
import { clearPostmasterFile, stopOrphan } from './postmaster.ts'
import { ensureDatabase, waitUntilReady } from './readiness.ts'
import { writeSettings } from './settings.ts'
import type { Settings } from './settings.ts'
import { launchPostgres } from './supervised-postgres.ts'
import type { SupervisedPostgres } from './supervised-postgres.ts'

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection
  readonly pid: number
  /** Settles when PostgreSQL has ended, also when nobody asked it to. */
  readonly exited: Promise<number>
  stop(): Promise<void>
}

export interface StartOptions {
  readonly dataDir: string
  readonly log: (line: string) => void
  readonly settings?: Settings
}

/** Magic numbers of file systems that do not keep PostgreSQL's promises: NFS, SMB, CIFS, SMB2. */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42])

/** Starts the PostgreSQL of a data directory, making it first where there is none. */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  await mkdir(resolve(options.dataDir), {
    recursive: true,
    mode: process.getuid?.() === 0 ? 0o711 : 0o700,
  })
  const dataDir = await realpath(options.dataDir)
  await refuseNetworkFileSystem(dataDir)
  const lock = await lockDataDirectory(dataDir, 'postgres')
  try {
    const running = await startLocked({ ...options, dataDir })
    let stopping: Promise<void> | undefined
    const stopAndRelease = async (): Promise<void> => {
      await running.stop()
      await lock.release()
    }
    return { ...running, stop: async () => (stopping ??= stopAndRelease()) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startLocked(options: StartOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {} } = options
  const installed = findNativeFolder()
  const native = await prepareNativeFolder(installed, dataDir)
  await stopOrphan(join(dataDir, CLUSTER_FOLDER), log)
  const placement = await choosePlacement({ dataDir, native })
  if (placement.home !== dataDir) log(`The database of ${dataDir} stands in ${placement.home}.`)
  const cluster = await ensureCluster({ dataDir, placement, durable: settings['fsync'] !== 'off' })
  await clearPostmasterFile(cluster)
  const password = await readPassword(dataDir)
  const listening = await prepareListening(dataDir, placement)
  await writeSettings(cluster, listening, settings, placement.account.owner)
  const { server, pid } = await launchUntilReady(placement, cluster, log)
  const connection: EmbeddedConnection = {
    host: listening.socketDir ?? '127.0.0.1',
    port: listening.port,
    user: SUPERUSER,
    password,
    database: 'merlon',
  }
  const stop = async (): Promise<void> => {
    await server.stop()
    await removeEmbeddedConnection(dataDir)
    await removeListening(listening)
  }
  try {
    await ensureDatabase(connection)
    await writeEmbeddedConnection(dataDir, connection, pid)
  } catch (error) {
    await stop()
    throw error
  }
  return { connection, pid, exited: server.exited, stop }
}

interface Ready {
  readonly server: SupervisedPostgres
  readonly pid: number
}

/**
 * The workers of a postmaster that was killed outlive it for a moment and keep its shared memory,
 * and a new one refuses to start beside them; so that refusal is waited out.
 */
async function launchUntilReady(
  placement: Placement,
  cluster: string,
  log: (line: string) => void,
): Promise<Ready> {
  for (let attempt = 1; ; attempt++) {
    const server = launchPostgres({
      account: placement.account,
      program: programPath(placement.native, 'postgres'),
      cluster,
      env: programEnvironment(),
      log,
    })
    try {
      return { server, pid: await waitUntilReady(server, cluster, log) }
    } catch (error) {
      await server.stop()
      const isBlocked = server.lastLines().some((line) => line.includes('shared memory block'))
      if (!isBlocked || attempt === 40) throw error
      await delay(250)
    }
  }
}

async function refuseNetworkFileSystem(dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  const { type } = await statfs(dataDir)
  if (NETWORK_FILE_SYSTEMS.has(type)) {
    throw new Error(
      `${dataDir} is on a network file system, where the embedded PostgreSQL could lose data. ` +
        'Set MERLON_DATA_DIR to a local disk, or set DATABASE_URL.',
    )
  }
}
