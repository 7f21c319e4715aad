import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, realpath, rename, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface DataDirectoryLock {
  release(): Promise<void>
}

/** What a process answers to whoever knocks at its lock socket. */
type Claim = { readonly state: 'held' | 'trying'; readonly pid: string }

/** Unix socket paths are cut at 104 (macOS) or 108 (Linux) bytes. */
const SOCKET_PATH_BYTES_MAX = 100
const ATTEMPTS_MAX = 200
const ANSWER_TIMEOUT_MS = 1500
const UNFINISHED_AGE_MS = 60_000

/**
 * Lets one process at a time use a data directory. The lock is a listening socket, so the system
 * itself releases it when its process is killed.
 *
 * Every starter listens under a name of its own and then knocks at all others. Whoever finds no
 * living other one has the lock. Two that start at the same instant see each other, both step
 * back for a random moment and try again. Names are never used twice, so a socket found dead may
 * be removed without the risk of removing the fresh one of somebody else.
 */
export async function lockDataDirectory(
  dataDir: string,
  purpose: 'server' | 'postgres' = 'server',
): Promise<DataDirectoryLock> {
  const directory = resolve(dataDir)
  await mkdir(directory, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  if (process.platform === 'win32') return lockByNamedPipe(directory, purpose)
  const place = await openLockFolder(directory, purpose)
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const outcome = await claim(place)
      if (outcome.won) return { release: async () => leave(outcome.server, outcome.path, place) }
      if (outcome.other.state === 'held') throw alreadyInUse(directory, outcome.other.pid)
      await delay(5 + Math.random() * 45)
    }
    throw new Error(`The data directory ${directory} stayed contended; start one server at a time.`)
  } catch (error) {
    await place.handle?.close()
    throw error
  }
}

interface LockFolder {
  /** Where the files are; short enough for a socket path. */
  readonly path: string
  readonly handle: FileHandle | undefined
}

async function openLockFolder(directory: string, purpose: string): Promise<LockFolder> {
  const folder = join(directory, `.lock-${purpose}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (Buffer.byteLength(folder) + 40 <= SOCKET_PATH_BYTES_MAX) {
    return { path: folder, handle: undefined }
  }
  if (process.platform === 'linux') {
    // An open directory has a short second name on Linux, whatever the length of its path.
    const handle = await open(folder, 'r')
    return { path: `/proc/self/fd/${handle.fd}`, handle }
  }
  const short = join(tmpdir(), `merlon-lock-${digest(await realpath(folder))}`)
  await mkdir(short, { recursive: true, mode: 0o700 })
  return { path: short, handle: undefined }
}

type Outcome =
  | { readonly won: true; readonly server: Server; readonly path: string }
  | { readonly won: false; readonly other: Claim }

async function claim(place: LockFolder): Promise<Outcome> {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`
  const answer: { state: Claim['state'] } = { state: 'trying' }
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(`${answer.state} ${process.pid}\n`)
  })
  // Between bind and listen a socket refuses connections and would look dead, so it takes its
  // visible name only when it listens.
  await listen(server, join(place.path, `${name}.new`))
  const path = join(place.path, `${name}.sock`)
  await rename(join(place.path, `${name}.new`), path)
  const other = await findLivingOther(place.path, `${name}.sock`)
  if (other === undefined) {
    answer.state = 'held'
    server.unref()
    return { won: true, server, path }
  }
  await closeServer(server)
  await unlinkIfThere(path)
  return { won: false, other }
}

async function findLivingOther(folder: string, own: string): Promise<Claim | undefined> {
  let found: Claim | undefined
  for (const entry of await readdir(folder)) {
    if (entry === own) continue
    const path = join(folder, entry)
    if (entry.endsWith('.new')) {
      await removeUnfinished(path)
      continue
    }
    if (!entry.endsWith('.sock')) continue
    const claimed = await knock(path, entry.split('-')[0] ?? 'unknown')
    if (claimed === undefined) await unlinkIfThere(path)
    else if (found?.state !== 'held') found = claimed
  }
  return found
}

/** Undefined when nobody listens any more. A process too busy to answer counts as the holder. */
async function knock(path: string, pidInName: string): Promise<Claim | undefined> {
  return new Promise((settle) => {
    const socket = createConnection({ path })
    let text = ''
    socket.setEncoding('utf8')
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
      settle({ state: 'held', pid: pidInName })
      socket.destroy()
    })
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => {
      const [state, pid] = text.trim().split(' ')
      // A connection that closes without an answer belongs to a process that just stepped back.
      settle({ state: state === 'held' ? 'held' : 'trying', pid: pid ?? pidInName })
      socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isDead = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
      const isLeaving = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      settle(isDead ? undefined : { state: isLeaving ? 'trying' : 'held', pid: pidInName })
    })
  })
}

async function lockByNamedPipe(directory: string, purpose: string): Promise<DataDirectoryLock> {
  const path = `\\\\.\\pipe\\merlon-${purpose}-${digest((await realpath(directory)).toLowerCase())}`
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(`held ${process.pid}\n`)
  })
  try {
    await listen(server, path)
  } catch {
    throw alreadyInUse(directory, (await knock(path, 'unknown'))?.pid ?? 'unknown')
  }
  server.unref()
  return { release: async () => closeServer(server) }
}

async function leave(server: Server, path: string, place: LockFolder): Promise<void> {
  await closeServer(server)
  await unlinkIfThere(path)
  await place.handle?.close()
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen({ path }, () => {
      server.removeListener('error', fail)
      done()
    })
  })
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((done) => {
    server.close(() => done())
  })
}

async function removeUnfinished(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && Date.now() - found.mtimeMs > UNFINISHED_AGE_MS) await unlinkIfThere(path)
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

function alreadyInUse(directory: string, pid: string): Error {
  return new Error(
    `The data directory ${directory} is in use by another Merlon process (pid ${pid}). ` +
      'Stop that one first, or set MERLON_DATA_DIR to another directory.',
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
