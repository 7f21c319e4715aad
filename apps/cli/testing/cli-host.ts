import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCli } from '../src/cli.ts'
import type { Host } from '../src/host.ts'

export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
  /** What was asked of the person at the terminal. */
  readonly asked: readonly string[]
}

/** What is written, as it is written. */
type Listening = {
  readonly onOut?: (text: string) => void
  readonly onErr?: (text: string) => void
}

export interface Circumstances
  extends
    Listening,
    Partial<
      Pick<
        Host,
        | 'env'
        | 'nodeVersion'
        | 'nowMs'
        | 'runProgram'
        | 'programDir'
        | 'fetch'
        | 'stdoutIsTty'
        | 'wait'
        | 'stopSignal'
        | 'openStdin'
      >
    > {
  readonly stdin?: string
  /** There is a person, who gives these answers. */
  readonly answers?: readonly string[]
}

/** A machine with an empty home of its own, on which command lines can be run. */
export async function createMachine() {
  const homeDir = await mkdtemp(join(tmpdir(), 'merlon-cli-'))

  async function merlon(args: readonly string[], given: Circumstances = {}): Promise<Run> {
    const { stdin = '', answers, onOut, onErr, ...rest } = given
    const left = [...(answers ?? [])]
    const asked: string[] = []
    let out = ''
    let err = ''
    const code = await runCli(args, {
      env: {},
      homeDir,
      workDir: homeDir,
      programDir: homeDir,
      platform: process.platform,
      arch: process.arch,
      nodeVersion: process.versions.node,
      stdinIsTty: answers !== undefined,
      stdoutIsTty: false,
      fetch,
      nowMs: () => Date.now(),
      // Nobody waits in a test; what was to be waited for has happened or never will.
      wait: () => new Promise((resolve) => setImmediate(resolve)),
      stopSignal: () => new AbortController().signal,
      readStdin: async () => stdin,
      openStdin: async function* () {
        yield Buffer.from(stdin)
      },
      ask: async (question) => {
        asked.push(question)
        return left.shift() ?? ''
      },
      writeOut: (text) => {
        out += text
        onOut?.(text)
      },
      writeErr: (text) => {
        err += text
        onErr?.(text)
      },
      runProgram: async () => 0,
      ...rest,
    })
    return { code, out, err, asked }
  }

  return { homeDir, merlon, remove: () => rm(homeDir, { recursive: true, force: true }) }
}
