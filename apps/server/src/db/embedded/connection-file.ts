import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isAlive } from './postmaster.ts'

export interface EmbeddedConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

interface Recorded extends EmbeddedConnection {
  readonly pid: number
}

const FILE = 'postgres.json'

/** How another process of the same owner reaches the running database, such as a backup. */
export async function readEmbeddedConnection(
  dataDir: string,
): Promise<EmbeddedConnection | undefined> {
  const recorded = await readRecorded(dataDir)
  if (recorded === undefined || !isAlive(recorded.pid)) return undefined
  const { host, port, user, password, database } = recorded
  return { host, port, user, password, database }
}

export async function writeEmbeddedConnection(
  dataDir: string,
  connection: EmbeddedConnection,
  pid: number,
): Promise<void> {
  const path = join(dataDir, FILE)
  await writeFile(`${path}.new`, `${JSON.stringify({ ...connection, pid })}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

export async function removeEmbeddedConnection(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true })
}

/** The socket directory of the last run, whether or not that run still lives. */
export async function readLastHost(dataDir: string): Promise<string | undefined> {
  return (await readRecorded(dataDir))?.host
}

async function readRecorded(dataDir: string): Promise<Recorded | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(resolve(dataDir), FILE), 'utf8'))
    return isRecorded(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isRecorded(value: unknown): value is Recorded {
  if (typeof value !== 'object' || value === null) return false
  const { host, port, user, password, database, pid } = value as Partial<Recorded>
  return (
    [host, user, password, database].every((text) => typeof text === 'string') &&
    [port, pid].every((number) => Number.isInteger(number))
  )
}
