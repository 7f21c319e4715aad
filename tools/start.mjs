import { fork } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './root.mjs'

const SETTLE_MS = 150
const STOP_MAX_MS = 10_000

if (process.argv.includes('--watch')) await develop()
else await start()

/**
 * The server runs in this very process: signals reach it directly, and ending this process ends it.
 * There is no child that could be left behind.
 */
async function start() {
  await ensureInstalled()
  await build()
  followWatcher()
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(root, 'dist', 'server.mjs')).href)
}

/** Under --watch the server ends with its watcher, however that one ended. */
function followWatcher() {
  if (process.channel === undefined) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone must not keep a server alive that has closed everything else.
  process.channel.unref()
}

/** Restarts the server whenever a source changes. A change that does not build is reported and waited out. */
async function develop() {
  await ensureInstalled()
  let server = run()
  let restarting = false
  let again = false
  const restart = async () => {
    if (restarting) {
      again = true
      return
    }
    restarting = true
    do {
      again = false
      console.error('A source changed, restarting ...')
      await stop(server)
      server = run()
    } while (again)
    restarting = false
  }
  let timer
  for (const folder of ['packages', 'apps']) {
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !isSource(name)) return
      clearTimeout(timer)
      timer = setTimeout(() => void restart(), SETTLE_MS)
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => void stop(server).then(() => process.exit(0)))
  }
}

function isSource(name) {
  const path = name.replaceAll('\\', '/')
  return !path.includes('node_modules/') && /\/src\//.test(path) && !path.endsWith('.test.ts')
}

function run() {
  if (!existsSync(join(root, 'apps/server/src/main.ts'))) throw new Error('There is no server yet.')
  return fork(fileURLToPath(import.meta.url), [], { cwd: process.cwd(), stdio: 'inherit' })
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS)
  await ended
  clearTimeout(timer)
}
