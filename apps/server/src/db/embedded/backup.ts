import { createWriteStream } from 'node:fs'
import { open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { MANIFEST_FILE } from './backup-manifest.ts'
import type { BackupManifest } from './backup-manifest.ts'
import type { EmbeddedConnection } from './connection-file.ts'
import { CLUSTER_FOLDER, PASSWORD_FILE } from './placement.ts'
import { withClient } from './readiness.ts'
import { createTarWriter } from './tar-writer.ts'
import type { TarWriter } from './tar-writer.ts'

export interface BackupOptions {
  readonly dataDir: string
  readonly connection: EmbeddedConnection
  readonly to: string
  readonly log: (line: string) => void
}

/** The instance secret: without it the encrypted columns of the database cannot be read. */
const SECRET_FILE = 'secret'

/** Rebuilt at every start, or meaningless in a copy; the folders themselves are needed. */
const EMPTIED_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*|.*\.new)$/
/** Copied last, so that it is no older than any page it speaks of. */
const CONTROL_FILE = 'global/pg_control'

/**
 * Copies the files of a running database into one archive. Pages are copied while they change;
 * the write-ahead log of that time goes along, and replaying it makes them whole.
 */
export async function backupEmbedded(options: BackupOptions): Promise<void> {
  const { connection, log } = options
  const dataDir = resolve(options.dataDir)
  const unfinished = `${options.to}.partial`
  const createdAt = new Date()
  const gzip = createGzip({ level: 3 })
  const sink = gzip.pipe(createWriteStream(unfinished, { mode: 0o600, flush: true }))
  const sunk = finished(sink)
  // A full disk shows here first, long before the result is awaited.
  sunk.catch(() => undefined)
  gzip.once('error', (error) => sink.destroy(error))
  sink.once('error', (error) => gzip.destroy(error))
  try {
    const archive = createArchive(createTarWriter(gzip, createdAt))
    const cluster = await realpath(join(dataDir, CLUSTER_FOLDER))
    const version = await withClient(connection, async (client) =>
      copyCluster(client, cluster, archive),
    )
    for (const name of [SECRET_FILE, PASSWORD_FILE]) {
      await archive.copy(name, join(dataDir, name))
    }
    const manifest: BackupManifest = {
      format: 1,
      createdAt: createdAt.toISOString(),
      postgresVersion: version,
      files: archive.hashes,
    }
    await archive.tar.bytes(MANIFEST_FILE, Buffer.from(JSON.stringify(manifest)))
    await archive.tar.end()
    await sunk
    await rename(unfinished, options.to)
    log(`The backup of ${Object.keys(archive.hashes).length} files is complete: ${options.to}`)
  } catch (error) {
    gzip.destroy()
    sink.destroy()
    await sunk.catch(() => undefined)
    await rm(unfinished, { force: true })
    throw error
  }
}

interface Archive {
  readonly tar: TarWriter
  readonly hashes: Record<string, string>
  /** Adds a file under a name; one that vanished meanwhile is left out. */
  copy(name: string, path: string): Promise<boolean>
}

function createArchive(tar: TarWriter): Archive {
  const hashes: Record<string, string> = {}
  return {
    tar,
    hashes,
    copy: async (name, path) => {
      const file = await open(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (file === undefined) return false
      try {
        hashes[name] = await tar.file(name, file, (await file.stat()).size)
        return true
      } finally {
        await file.close()
      }
    },
  }
}

async function copyCluster(client: pg.Client, cluster: string, archive: Archive): Promise<string> {
  // The slot dies with this session and keeps the log from being recycled until then.
  const slot = `merlon_backup_${process.pid}_${Date.now()}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  await client.query(`select pg_backup_start('merlon', fast => true)`)
  await copyFolder(cluster, '', archive)
  await archive.copy(`${CLUSTER_FOLDER}/${CONTROL_FILE}`, join(cluster, CONTROL_FILE))
  const { rows } = await client.query<{ file: string; label: string; version: string }>(
    `select pg_walfile_name(lsn) as file, labelfile as label,
            current_setting('server_version') as version
     from pg_backup_stop(wait_for_archive => false)`,
  )
  const stopped = rows[0]
  const first = /\(file ([0-9A-F]{24})\)/.exec(stopped?.label ?? '')?.[1]
  if (stopped === undefined || first === undefined) {
    throw new Error('PostgreSQL did not end the backup as expected; try again.')
  }
  const label = `${CLUSTER_FOLDER}/backup_label`
  archive.hashes[label] = await archive.tar.bytes(label, Buffer.from(stopped.label))
  await copyLog(client, cluster, archive, first, stopped.file)
  return stopped.version
}

async function copyFolder(cluster: string, inside: string, archive: Archive): Promise<void> {
  await archive.tar.folder(join(CLUSTER_FOLDER, inside))
  if (EMPTIED_FOLDERS.has(inside)) {
    // PostgreSQL expects this folder inside the emptied one.
    if (inside === 'pg_wal') await archive.tar.folder(`${CLUSTER_FOLDER}/pg_wal/archive_status`)
    return
  }
  const entries = await readdir(join(cluster, inside), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // The folder of a database that was dropped meanwhile.
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  for (const entry of entries) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (LEFT_OUT.test(entry.name) || path === CONTROL_FILE) continue
    if (entry.isDirectory()) await copyFolder(cluster, path, archive)
    else if (entry.isFile()) await archive.copy(`${CLUSTER_FOLDER}/${path}`, join(cluster, path))
  }
}

async function copyLog(
  client: pg.Client,
  cluster: string,
  archive: Archive,
  first: string,
  last: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_ls_waldir()
     where name ~ '^[0-9A-F]{24}$' and name collate "C" between $1 and $2 order by name collate "C"`,
    [first, last],
  )
  if (rows[0]?.name !== first || rows.at(-1)?.name !== last) {
    throw new Error('The write-ahead log of the backup is incomplete; try again.')
  }
  for (const { name } of rows) {
    if (!(await archive.copy(`${CLUSTER_FOLDER}/pg_wal/${name}`, join(cluster, 'pg_wal', name)))) {
      throw new Error('The write-ahead log of the backup was recycled too early; try again.')
    }
  }
}
