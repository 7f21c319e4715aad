import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { unpackChromiumForUser, unpackedChromium } from './browser-debian.mjs'
import { isMain, root } from './root.mjs'

/** What a headless run needs, also as root in a container, and without calls home. */
export const launchArgs = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PROBE_MAX_MS = 30_000

/** The path of a Chromium that starts on this machine; installs one when there is none. */
export async function ensureChromium() {
  const named = process.env.MERLON_CHROMIUM
  if (named !== undefined && named !== '') {
    if (works(named)) return named
    throw new Error(`MERLON_CHROMIUM names ${named}, which does not start.`)
  }
  const present = findInstalled()
  if (present !== undefined) return present
  for (const install of [installWithApt, unpackChromiumForUser, installWithPlaywright]) {
    if (!install()) continue
    const found = findInstalled()
    if (found !== undefined) return found
  }
  throw new Error(
    'No Chromium could be found or installed. Install the package `chromium`, or set MERLON_CHROMIUM to its path.',
  )
}

function findInstalled() {
  const candidates = [...onPath(), unpackedChromium(), ...inPlaywrightCache()]
  return candidates.find((path) => path !== undefined && existsSync(path) && works(path))
}

function works(path) {
  const probe = spawnSync(path, ['--version', '--no-sandbox'], { timeout: PROBE_MAX_MS })
  return probe.status === 0
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))).filter((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Playwright unpacks each revision into a folder of its own, one layout per system. */
function inPlaywrightCache() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? playwrightCache()
  if (!existsSync(cache)) return []
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium-'))
    .toSorted()
    .toReversed()
    .flatMap((name) => [
      join(cache, name, 'chrome-linux', 'chrome'),
      join(cache, name, 'chrome-linux64', 'chrome'),
      join(cache, name, 'chrome-win', 'chrome.exe'),
      join(cache, name, 'chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'),
    ])
}

function playwrightCache() {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ms-playwright')
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? '', 'ms-playwright')
  return join(homedir(), '.cache', 'ms-playwright')
}

function installWithApt() {
  if (spawnSync('apt-get', ['--version']).status !== 0) return false
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) return false
  const apt = (...args) => {
    const words = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    const [program, ...rest] = isRoot ? words : ['sudo', '-n', ...words]
    return spawnSync(program, rest, { stdio: ['ignore', 'ignore', 2] }).status === 0
  }
  console.error('Installing Chromium with apt-get, this happens once ...')
  // An update that fails in part still leaves lists that may be good enough to install from.
  apt('update', '-qq')
  return apt('install', '-y', '-qq', '--no-install-recommends', 'chromium')
}

function installWithPlaywright() {
  console.error('Downloading Chromium with Playwright, this happens once ...')
  const program = join(root, 'node_modules', 'playwright-core', 'cli.js')
  const result = spawnSync(process.execPath, [program, 'install', 'chromium'], {
    stdio: ['ignore', 'ignore', 2],
  })
  return result.status === 0
}

if (isMain(import.meta.url)) console.log(await ensureChromium())
