import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every source file by its path from the root, with `/` on every system. */
export type Tree = ReadonlyMap<string, string>

export interface Manifest {
  readonly name: string
  readonly exports?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The package.json files by folder; the root's is under `''`. */
export type Manifests = ReadonlyMap<string, Manifest>

const TOP_FOLDERS = ['packages', 'apps', 'tests', 'tools', 'bench']
const NOT_OURS = new Set(['node_modules', 'dist', '.build', 'coverage'])
const SOURCE = /\.(ts|tsx|mjs)$/

export function readTree(root: string): Tree {
  const tree = new Map<string, string>()
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!NOT_OURS.has(entry.name)) visit(path)
      } else if (SOURCE.test(entry.name) && !entry.name.endsWith('.d.mts')) {
        tree.set(path, readFileSync(join(root, path), 'utf8'))
      }
    }
  }
  for (const folder of TOP_FOLDERS) if (existsSync(join(root, folder))) visit(folder)
  return tree
}

export function readManifests(root: string): Manifests {
  const manifests = new Map<string, Manifest>([['', readManifest(root)]])
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group))) {
      const folder = join(root, group, name)
      if (existsSync(join(folder, 'package.json'))) {
        manifests.set(`${group}/${name}`, readManifest(folder))
      }
    }
  }
  return manifests
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
