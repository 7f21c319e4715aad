import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '@merlon/base'
import { root } from '../../tools/root.mjs'

export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a script in a process of its own and waits for the address that it prints. */
export async function startScript(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const child = spawn(process.execPath, [join(root, script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await addressFrom(child)
  return { url, stop: () => ended(child) }
}

export interface RunningMerlon extends Running {
  readonly key: string
  readonly dataDir: string
}

/** The built server on an empty data directory with its embedded database, durable as shipped. */
export async function startMerlon(
  env: Readonly<Record<string, string>> = {},
): Promise<RunningMerlon> {
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')], { stdio: 'ignore' })
  const dataDir = mkdtempSync(join(tmpdir(), 'merlon-bench-'))
  const key = createKey('account')
  const limits = Object.fromEntries(
    ['ACCOUNT', 'INGEST', 'PUBLIC', 'LOGIN'].map((name) => [`MERLON_LIMIT_${name}`, '10000000']),
  )
  const running = await startScript('dist/server.mjs', {
    PORT: '0',
    MERLON_DATA_DIR: dataDir,
    MERLON_BOOTSTRAP_API_KEY: key,
    ...limits,
    ...env,
  })
  return {
    url: running.url,
    key,
    dataDir,
    async stop() {
      await running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function addressFrom(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-10_000)
      const address = /ready at (http:\/\/[\w.:]+)/.exec(text)?.[1]
      if (address === undefined) return
      // From here on its log is only drained: reading it would cost the side that measures.
      child.stdout?.removeAllListeners('data').resume()
      resolve(address)
    })
    child.once('exit', (code) =>
      reject(new Error(`It ended with ${code} before it was ready: ${text}`)),
    )
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
