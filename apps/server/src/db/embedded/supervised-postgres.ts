import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { runAs, spawnAs } from './account.ts'
import type { Account } from './account.ts'
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts'

/**
 * Runs PostgreSQL as its child and watches standard input, which is a pipe from us. When we end,
 * in whatever way, the pipe ends too, and PostgreSQL is told to shut down fast.
 */
const SUPERVISOR = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( while read -r line <&3; do :; done; kill -INT "$server" ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"
`

/** Our own polling makes PostgreSQL repeat these while it starts. */
const NOISE = /the database system is (starting up|not yet accepting connections)/

const FAST_SHUTDOWN_MS = 20_000
const LINE_LENGTH_MAX = 2000

export interface SupervisedPostgres {
  /** Settles with the exit code when PostgreSQL has ended, for whatever reason. */
  readonly exited: Promise<number>
  hasExited(): boolean
  /** The newest lines, to explain a start that failed. */
  lastLines(): readonly string[]
  stop(): Promise<void>
}

export interface LaunchOptions {
  readonly account: Account
  readonly program: string
  readonly cluster: string
  readonly env: NodeJS.ProcessEnv
  readonly log: (line: string) => void
}

export function launchPostgres(options: LaunchOptions): SupervisedPostgres {
  const { account, program, cluster, env, log } = options
  const isWindows = process.platform === 'win32'
  const command: readonly [string, readonly string[]] = isWindows
    ? [program, ['-D', cluster]]
    : ['/bin/sh', ['-c', SUPERVISOR, 'merlon-postgres', program, '-D', cluster]]
  const child = spawnAs(account, command[0], command[1], {
    cwd: cluster,
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C in the terminal reaches the server, which ends PostgreSQL in its turn.
    detached: !isWindows,
    windowsHide: true,
  })
  const last: string[] = []
  if (child.stderr !== null) forwardLines(child.stderr, last, log)
  child.stdin?.on('error', () => undefined)
  let ended = false
  const exited = new Promise<number>((settle) => {
    child.once('error', (error) => {
      ended = true
      last.push(error.message)
      settle(-1)
    })
    child.once('exit', (code) => {
      ended = true
      settle(code ?? -1)
    })
  })
  // A host that forgets to stop us must still be able to end; the pipe then does the rest.
  child.unref()
  for (const stream of [child.stdin, child.stderr]) unrefStream(stream)
  return {
    exited,
    hasExited: () => ended,
    lastLines: () => last,
    stop: async () => {
      if (ended) return
      child.ref()
      if (isWindows) await stopThroughControlProgram(account, program, cluster)
      else child.stdin?.end()
      await endWithin(child, exited, cluster)
    },
  }
}

function forwardLines(stream: Readable, last: string[], log: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (line === '' || NOISE.test(line)) return
    const text = line.slice(0, LINE_LENGTH_MAX)
    last.push(text)
    if (last.length > 20) last.shift()
    log(text)
  })
}

function unrefStream(stream: unknown): void {
  if (typeof stream === 'object' && stream !== null && 'unref' in stream) {
    if (typeof stream.unref === 'function') stream.unref()
  }
}

async function endWithin(
  child: ChildProcess,
  exited: Promise<number>,
  cluster: string,
): Promise<void> {
  const timer = setTimeout(() => void endAtOnce(cluster), FAST_SHUTDOWN_MS)
  await exited
  clearTimeout(timer)
  child.stderr?.destroy()
}

/** What an immediate end leaves unfinished, the next start recovers from the write-ahead log. */
async function endAtOnce(cluster: string): Promise<void> {
  const found = await readPostmasterFile(cluster)
  if (found !== undefined && (await isPostmasterOf(found.pid, cluster))) {
    process.kill(found.pid, 'SIGQUIT')
  }
}

async function stopThroughControlProgram(
  account: Account,
  program: string,
  cluster: string,
): Promise<void> {
  const control = program.replace(/postgres(\.exe)?$/, 'pg_ctl$1')
  await runAs(account, control, ['stop', '-D', cluster, '-m', 'fast'])
}
