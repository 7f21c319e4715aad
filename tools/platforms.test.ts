import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './root.mjs'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const locked = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)))

/** Packages that ship a program for each platform name them as optional dependencies. */
const native = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) => {
  const names = Object.keys(optionalDependencies).filter((name) => !name.includes('musl'))
  return names.some((name) => name.includes('linux-x64')) ? [{ path, names }] : []
})

describe('the lock file', () => {
  // A registry can lack one platform of one version; npm then leaves it out without a word.
  it.each(native)('has the programs of $path for x64 and arm64', ({ names }) => {
    const wanted = names.filter((name) => /linux-(x64|arm64)/.test(name))
    expect(wanted.length).toBeGreaterThanOrEqual(2)
    expect(wanted.filter((name) => !locked.has(name))).toEqual([])
  })

  it('has more than a few such packages, so that this test looks at something', () => {
    expect(native.length).toBeGreaterThanOrEqual(6)
  })

  it('names no host that packages are fetched from', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(
      /"resolved": "https?:/,
    )
  })
})
