import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { isMain, root } from './root.mjs'

const LOWEST_NODE = [20, 19]
const lockfile = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules', '.merlon-lock')

/**
 * What the lock file names is installed exactly as it says. `npm ci` would refuse the lock where a
 * registry lacks a program for some platform that nobody here runs; this leaves it out, and does
 * not write the lock anew. Made twice, because a registry hiccup is the usual cause of failure.
 */
const ATTEMPTS = [
  ['install', '--no-save'],
  ['install', '--no-save'],
]

/** Installs the dependencies when they are missing or older than package-lock.json. */
export async function ensureInstalled() {
  requireNode()
  if (isFresh()) return
  await withLock(join(root, '.build', 'install.lock'), () => {
    if (isFresh()) return
    if (!isInstalledByHand()) install()
    writeFileSync(stamp, lockDigest())
  })
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [lowestMajor, lowestMinor] = LOWEST_NODE
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return
  console.error(
    `Merlon needs Node.js ${LOWEST_NODE.join('.')} or newer; this is ${process.versions.node}.`,
  )
  process.exit(1)
}

function isFresh() {
  try {
    return readFileSync(stamp, 'utf8') === lockDigest()
  } catch {
    return false
  }
}

function lockDigest() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex')
}

/** Somebody who ran npm themselves has the right packages already: npm's own record of them says so. */
function isInstalledByHand() {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional) return true
    return installed[path]?.version === entry.version
  })
}

function install() {
  for (const [index, attempt] of ATTEMPTS.entries()) {
    console.error('Installing dependencies, this happens once ...')
    if (npm(attempt)) return
    if (index < ATTEMPTS.length - 1) console.error('That did not work, trying again.')
  }
  console.error('The dependencies could not be installed; the lines above say why.')
  console.error('Check that this machine reaches its package registry, then run `npm install`.')
  process.exit(1)
}

function npm(words) {
  // Development dependencies hold the bundler, so they are wanted under NODE_ENV=production too.
  const args = [...words, '--ignore-scripts', '--include=dev', '--loglevel=error']
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const npmProgram = process.env.npm_execpath
  const result =
    npmProgram !== undefined && /npm-cli\.[cm]?js$/.test(npmProgram)
      ? spawnSync(process.execPath, [npmProgram, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (result.error) console.error(`npm did not start: ${result.error.message}`)
  return result.status === 0
}

if (isMain(import.meta.url)) await ensureInstalled()
