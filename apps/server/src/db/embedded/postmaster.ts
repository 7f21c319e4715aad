import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const POLL_MS = 15
const FAST_SHUTDOWN_MS = 5_000
const IMMEDIATE_SHUTDOWN_MS = 5_000

export interface PostmasterFile {
  readonly pid: number
  /** `starting`, `ready`, `stopping`: the last line, written by PostgreSQL itself. */
  readonly status: string
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  return { pid, status: (lines[7] ?? '').trim() }
}

/**
 * Ends a PostgreSQL that a killed server left behind in this folder. The process number alone
 * proves nothing, since the system hands numbers out again.
 */
export async function stopOrphan(cluster: string, log: (line: string) => void): Promise<void> {
  const found = await readPostmasterFile(cluster)
  if (found !== undefined && (await isPostmasterOf(found.pid, cluster))) {
    log(`A PostgreSQL of an earlier run (pid ${found.pid}) still uses ${cluster}; stopping it.`)
    await stopPostmaster(found.pid)
  }
}

/** Called when no postmaster can be alive: a file whose number was handed out again would block. */
export async function clearPostmasterFile(cluster: string): Promise<void> {
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Fast shutdown first; what does not follow is ended harder, and recovers at its next start. */
export async function stopPostmaster(pid: number): Promise<void> {
  signal(pid, 'SIGINT')
  if (await isGoneWithin(pid, FAST_SHUTDOWN_MS)) return
  signal(pid, 'SIGQUIT')
  if (await isGoneWithin(pid, IMMEDIATE_SHUTDOWN_MS)) return
  signal(pid, 'SIGKILL')
  if (await isGoneWithin(pid, IMMEDIATE_SHUTDOWN_MS)) return
  throw new Error(
    `The PostgreSQL process ${pid} cannot be stopped. End it by hand and start again.`,
  )
}

export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  return process.platform === 'linux' ? worksIn(pid, cluster) : namesFolder(pid, cluster)
}

/** A postmaster stands in its data folder; compared by inode, so a renamed path still matches. */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  try {
    const [place, folder, name] = await Promise.all([
      stat(`/proc/${pid}/cwd`),
      stat(cluster),
      readFile(`/proc/${pid}/comm`, 'utf8'),
    ])
    return name.trim() === 'postgres' && place.dev === folder.dev && place.ino === folder.ino
  } catch {
    return false
  }
}

async function namesFolder(pid: number, cluster: string): Promise<boolean> {
  const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`
  try {
    const { stdout } =
      process.platform === 'win32'
        ? await run('powershell.exe', ['-NoProfile', '-Command', query])
        : await run('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.includes('postgres') && stdout.includes(cluster)
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function isGoneWithin(pid: number, limitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += POLL_MS) {
    if (!(await isRunning(pid))) return true
    await delay(POLL_MS)
  }
  return false
}

/** An ended process whose parent has not collected it yet still has a number, but holds nothing. */
async function isRunning(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const state = text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3)
  return state !== '' && state !== 'Z'
}
