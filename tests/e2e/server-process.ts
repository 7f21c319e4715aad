import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../tools/root.mjs'

type Env = Readonly<Record<string, string>>

export interface ServerProcess {
  readonly url: string
  readonly readyMs: number
  /** Everything it has printed so far. */
  output(): string
  /** Ends it with a signal and answers its exit code; none after SIGKILL. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export function buildPrograms(): void {
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')])
}

/** Data directories and servers of one test file, all gone at its end. */
export function serverProcesses() {
  const folders: string[] = []
  const children: ChildProcess[] = []

  const spawnServer = (dataDir: string, env: Env) => {
    const child = spawn(process.execPath, [join(root, 'dist/server.mjs')], {
      // Nothing of the machine's own settings may decide how the test ends.
      env: { PATH: process.env['PATH'], PORT: '0', MERLON_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    return { child, output: () => text }
  }

  return {
    newDataDir(): string {
      const folder = mkdtempSync(join(tmpdir(), 'merlon-e2e-'))
      folders.push(folder)
      return join(folder, 'data')
    },

    async start(dataDir: string, env: Env = {}): Promise<ServerProcess> {
      const started = performance.now()
      const { child, output } = spawnServer(dataDir, env)
      const url = await new Promise<string>((resolve, reject) => {
        const look = (): void => {
          const address = /ready at (http:\/\/[\w.:[\]]+)/.exec(output())?.[1]
          if (address !== undefined) resolve(address)
        }
        child.stdout.on('data', look)
        child.once('close', (code) => reject(new Error(`It ended with ${code}: ${output()}`)))
      })
      const readyMs = performance.now() - started
      return {
        url,
        readyMs,
        output,
        async end(signal) {
          const closed = once(child, 'close') as Promise<[number | null]>
          child.kill(signal)
          return (await closed)[0]
        },
      }
    },

    /** For starts that must be refused: waits for the end. */
    async refused(dataDir: string, env: Env = {}): Promise<{ code: number | null; said: string }> {
      const { child, output } = spawnServer(dataDir, env)
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, said: output() }
    },

    async endAll(): Promise<void> {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const closed = once(child, 'close')
        child.kill('SIGTERM')
        await closed
      }
    },

    removeAll(): void {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function printedKey(output: string): string {
  return /API key +(mln_live_\w+)/.exec(output)?.[1] ?? ''
}

export function printedLink(output: string): string {
  return /Sign-in link +(\S+)/.exec(output)?.[1] ?? ''
}
