import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { nodeBundle, ownSourceOnly } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'
import { withLock } from './lock.mjs'
import { isMain, root } from './root.mjs'

const dist = join(root, 'dist')
const stampName = '.merlon-build'

const PROGRAMS = [
  { entry: 'apps/server/src/main.ts', output: 'server.mjs', banner: '' },
  { entry: 'apps/cli/src/main.ts', output: 'merlon.mjs', banner: '#!/usr/bin/env node' },
]
const FOLDERS = [
  { from: 'apps/server/src/db/migrations', to: 'migrations' },
  { from: 'apps/server/src/http/static', to: 'static' },
]
const INPUTS = ['packages', 'apps', 'tools/build.mjs', 'tools/bundle.mjs', 'package-lock.json']
const NOT_INPUTS = new Set(['node_modules', 'testing'])

/** Bundles the programs into dist/. Does nothing when no source changed since the last build. */
export async function build() {
  if (isFresh(sourceDigest())) return { built: false }
  return withLock(join(root, '.build', 'build.lock'), async () => {
    const digest = sourceDigest()
    if (isFresh(digest)) return { built: false }
    const draft = `${dist}.${process.pid}`
    try {
      await bundleInto(draft)
      writeFileSync(join(draft, stampName), digest)
      putInPlace(draft)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
    return { built: true }
  })
}

function isFresh(digest) {
  try {
    return readFileSync(join(dist, stampName), 'utf8') === digest
  } catch {
    return false
  }
}

/** Names, sizes and times say whether a source changed, without reading any of them. */
function sourceDigest() {
  const hash = createHash('sha256')
  const visit = (path) => {
    const info = statSync(join(root, path), { throwIfNoEntry: false })
    if (info === undefined) return
    if (!info.isDirectory()) {
      if (!path.endsWith('.test.ts')) hash.update(`${path} ${info.size} ${info.mtimeMs}\n`)
      return
    }
    for (const name of readdirSync(join(root, path)).toSorted()) {
      if (!NOT_INPUTS.has(name)) visit(`${path}/${name}`)
    }
  }
  for (const input of INPUTS) visit(input)
  return hash.digest('hex')
}

async function bundleInto(draft) {
  const esbuild = await import('esbuild')
  for (const { entry, output, banner } of PROGRAMS) {
    if (!existsSync(join(root, entry))) continue
    const outfile = join(draft, output)
    await esbuild.build({
      ...nodeBundle,
      entryPoints: [entry],
      outfile,
      banner: { js: banner },
      plugins: [ownSourceOnly()],
    })
    chmodSync(outfile, 0o755)
  }
  for (const { from, to } of FOLDERS) {
    if (existsSync(join(root, from))) {
      cpSync(join(root, from), join(draft, to), { recursive: true })
    }
  }
}

/** A reader finds the old folder or the new one, never a half-written one. */
function putInPlace(draft) {
  const old = `${dist}.old.${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(draft, dist)
  rmSync(old, { recursive: true, force: true })
}

if (isMain(import.meta.url)) {
  await ensureInstalled()
  const started = performance.now()
  const { built } = await build()
  const tookMs = Math.round(performance.now() - started)
  console.log(built ? `Built dist/ in ${tookMs} ms.` : `dist/ is fresh (${tookMs} ms).`)
}
