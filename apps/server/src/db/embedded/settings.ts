import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Identity } from './account.ts'

export type Settings = Readonly<Record<string, string>>

/** Chosen once for a single machine that also runs the server; nothing here is left to a file on disk. */
const FIXED: Settings = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '1GB',
  synchronous_commit: 'on',
  // The shipped builds know neither lz4 nor zstd.
  wal_compression: 'pglz',
  wal_level: 'replica',
  // A backup holds the write-ahead log it needs through a short-lived slot.
  max_replication_slots: '4',
  max_wal_senders: '2',
  max_logical_replication_workers: '0',
  idle_in_transaction_session_timeout: '30s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  datestyle: 'ISO, MDY',
  default_text_search_config: 'pg_catalog.simple',
  password_encryption: 'scram-sha-256',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  // Statements and details may hold what users sent; the caller gets them, the log must not.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  unix_socket_permissions: '0700',
}

/** Where the server listens; never an address that another machine can reach. */
export interface Listening {
  readonly socketDir: string | undefined
  readonly port: number
}

export function settingsText(listening: Listening, overrides: Settings): string {
  const { socketDir, port } = listening
  const all: Settings = {
    ...FIXED,
    ...overrides,
    listen_addresses: socketDir === undefined ? '127.0.0.1' : '',
    unix_socket_directories: socketDir ?? '',
    port: String(port),
  }
  const lines = Object.entries(all).map(([name, value]) => `${settingName(name)} = ${quote(value)}`)
  return ['# Written by Merlon at every start; changes made here are lost.', ...lines, ''].join(
    '\n',
  )
}

export function accessText(listening: Listening): string {
  const rule =
    listening.socketDir === undefined
      ? 'host all all 127.0.0.1/32 scram-sha-256'
      : 'local all all scram-sha-256'
  return `# Written by Merlon at every start; changes made here are lost.\n${rule}\n`
}

export async function writeSettings(
  cluster: string,
  listening: Listening,
  overrides: Settings,
  owner: Identity | undefined,
): Promise<void> {
  await replaceFile(join(cluster, 'postgresql.conf'), settingsText(listening, overrides), owner)
  await replaceFile(join(cluster, 'pg_hba.conf'), accessText(listening), owner)
}

async function replaceFile(path: string, text: string, owner: Identity | undefined): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  if (owner !== undefined) await chown(`${path}.new`, owner.uid, owner.gid)
  await rename(`${path}.new`, path)
}

function settingName(name: string): string {
  if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new Error(`${name} is no PostgreSQL setting.`)
  return name
}

function quote(value: string): string {
  if (/[\n\r\0]/.test(value)) throw new Error('A PostgreSQL setting must stay on one line.')
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
