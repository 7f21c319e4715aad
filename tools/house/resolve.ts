import { posix } from 'node:path'
import type { Manifests } from './tree.ts'

export type Target =
  | { readonly kind: 'file'; readonly path: string; readonly relative: boolean }
  | { readonly kind: 'node'; readonly module: string }
  | { readonly kind: 'third-party'; readonly name: string }
  | { readonly kind: 'no-face'; readonly name: string }

/** What a specifier in `from` leads to. */
export function resolve(from: string, specifier: string, manifests: Manifests): Target {
  if (specifier.startsWith('.')) {
    const path = posix.normalize(posix.join(posix.dirname(from), specifier))
    return { kind: 'file', path, relative: true }
  }
  if (specifier.startsWith('node:')) return { kind: 'node', module: specifier }
  const parts = specifier.split('/')
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  if (!name.startsWith('@merlon/')) return { kind: 'third-party', name }
  const path = faces(manifests).get(specifier)
  return path === undefined
    ? { kind: 'no-face', name: specifier }
    : { kind: 'file', path, relative: false }
}

function faces(manifests: Manifests): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [folder, { name, exports = {} }] of manifests) {
    const table = typeof exports === 'string' ? { '.': exports } : exports
    for (const [subpath, file] of Object.entries(table)) {
      found.set(posix.join(name, subpath), posix.join(folder, file))
    }
  }
  return found
}
