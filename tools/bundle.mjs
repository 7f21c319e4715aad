import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './root.mjs'

/** The settings every bundle of this repository shares. */
export const nodeBundle = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
}

/**
 * Bundles what is ours and leaves every installed package to Node. esbuild's own `packages: external`
 * would leave `@merlon/*` out too, and Node cannot load those: they are TypeScript.
 */
export function ownSourceOnly() {
  const faces = workspaceFaces()
  return {
    name: 'own-source-only',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined
        const face = faces.get(path)
        if (face !== undefined) return { path: face }
        if (!path.startsWith('@merlon/')) return { path, external: true }
        return { errors: [{ text: `${path} is not a face of any workspace` }] }
      })
    },
  }
}

/** From an import specifier such as `@merlon/base` to the file that its package.json exports. */
function workspaceFaces() {
  const faces = new Map()
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group))) {
      const manifestFile = join(root, group, name, 'package.json')
      if (!existsSync(manifestFile)) continue
      const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
      const { exports = {} } = manifest
      const table = typeof exports === 'string' ? { '.': exports } : exports
      for (const [subpath, target] of Object.entries(table)) {
        const file = typeof target === 'string' ? target : (target.import ?? target.default)
        faces.set(join(manifest.name, subpath), join(root, group, name, file))
      }
    }
  }
  return faces
}

/** Put together here, because this file is bundled too and must not replace its own search words. */
const META = ['import', 'meta'].join('.')

/** A bundled file lies elsewhere, so each source keeps the address it was written at. */
function keepFileAddresses() {
  return {
    name: 'keep-file-addresses',
    setup(build) {
      build.onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes(`${META}.`)) return undefined
        const contents = text
          .replaceAll(`${META}.url`, JSON.stringify(pathToFileURL(path).href))
          .replaceAll(`${META}.dirname`, JSON.stringify(dirname(path)))
          .replaceAll(`${META}.filename`, JSON.stringify(path))
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
    },
  }
}

/** Bundles one TypeScript file into .build/ and imports it. */
export async function importTypeScript(entry) {
  const { build } = await import('esbuild')
  const source = resolve(root, entry)
  const name = relative(root, source).replaceAll(/[^\w.-]+/g, '_')
  const folder = join(root, '.build', 'run')
  const target = join(folder, name.replace(/\.ts$/, '.mjs'))
  const draft = target.replace(/\.mjs$/, `.${process.pid}.mjs`)
  mkdirSync(folder, { recursive: true })
  await build({
    ...nodeBundle,
    sourcemap: 'inline',
    entryPoints: [source],
    outfile: draft,
    plugins: [ownSourceOnly(), keepFileAddresses()],
  })
  try {
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
  process.setSourceMapsEnabled(true)
  return import(pathToFileURL(target).href)
}
