import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createKey } from '@merlon/base'
import type { TestPostgres } from './postgres.global.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')
const START_MAX_MS = 60_000

/** The server as it ships, in a place of its own: a build meanwhile must not change it. */
export interface ServerProgram {
  readonly file: string
  remove(): Promise<void>
}

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** The last lines that it wrote, to explain what went wrong. */
  lines(): readonly string[]
  /** As an operator stops it. */
  stop(): Promise<void>
  /** As a crash ends it; settles when the process is gone. */
  kill(): Promise<void>
}

/** The key of the operator, for every server that is started here. */
export const operatorKey = createKey('account')
const secret = 'a secret for tests, of thirty-two characters or more'
const generous = Object.fromEntries(
  ['ACCOUNT', 'INGEST', 'PUBLIC', 'LOGIN'].map((name) => [`MERLON_LIMIT_${name}`, '10000000']),
)

export async function buildServerProgram(): Promise<ServerProgram> {
  await run(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root })
  // Inside the repository, where Node finds the installed packages.
  const folder = await mkdtemp(join(root, '.build', 'server-'))
  await cp(join(root, 'dist'), folder, { recursive: true })
  return {
    file: join(folder, 'server.mjs'),
    remove: async () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts a server process and waits until it answers. `env` is what differs from the usual. */
export async function startServer(
  program: ServerProgram,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', program.file], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      MERLON_LOG_LEVEL: 'warn',
      MERLON_SECRET: secret,
      MERLON_BOOTSTRAP_API_KEY: operatorKey,
      ...generous,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((settle) => child.once('exit', () => settle()))
  const last: string[] = []
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  try {
    const url = await readAddress(child, last)
    return {
      url,
      pid: child.pid ?? -1,
      lines: () => last,
      stop: async () => end('SIGTERM'),
      kill: async () => end('SIGKILL'),
    }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

async function readAddress(child: ChildProcess, last: string[]): Promise<string> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The server has no output.')
  return new Promise((settle, fail) => {
    const timer = setTimeout(
      () => fail(new Error(`The server did not start: ${last.join('\n')}`)),
      START_MAX_MS,
    )
    const hear = (line: string): void => {
      last.push(line)
      if (last.length > 50) last.shift()
      const address = /^Merlon is ready at (\S+)/.exec(line)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      settle(address)
    }
    createInterface({ input: stdout }).on('line', hear)
    createInterface({ input: stderr }).on('line', hear)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(new Error(`The server ended with ${code}: ${last.join('\n')}`))
    })
  })
}

/** The address of a database as DATABASE_URL takes it, for a socket folder or a host. */
export function databaseUrl({ host, port, user, password, database }: TestPostgres): string {
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  return `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** Calls a server as an account or an app would, and answers the status and what came back. */
export async function ask<Data>(
  url: string,
  path: string,
  {
    method = 'GET',
    as = operatorKey,
    appKey,
    body,
  }: { method?: string; as?: string; appKey?: string; body?: unknown } = {},
): Promise<{ status: number; data: Data; headers: Headers }> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(appKey === undefined ? { authorization: `Bearer ${as}` } : { 'x-api-key': appKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await reply.json()) as { data: Data }
  return { status: reply.status, data: answer.data, headers: reply.headers }
}

export async function newApp(url: string, name: string): Promise<{ id: string; apiKey: string }> {
  const { data } = await ask<{ id: string; apiKey: string }>(url, '/api/apps', {
    method: 'POST',
    body: { name },
  })
  return data
}
