import { chmod, cp, lstat, mkdtemp, readFile, readdir, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAs, ownAccount } from './account.ts'
import {
  completeNativeFolder,
  copyNativeFolder,
  findNativeFolder,
  prepareNativeFolder,
  programPath,
} from './native-folder.ts'

let root = ''
let native = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'merlon-native-'))
  native = join(root, 'package', 'native')
  await cp(findNativeFolder(), native, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
})

afterAll(async () => rm(root, { recursive: true, force: true }))

async function listLinks(): Promise<string[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(text) as { target: string }[]
  return links.map(({ target }) => join(dirname(native), target))
}

async function breakNative(): Promise<void> {
  for (const link of await listLinks()) await rm(link, { force: true })
  await chmod(programPath(native, 'postgres'), 0o644)
}

describe('findNativeFolder', () => {
  it('finds the programs of this machine', async () => {
    expect((await stat(programPath(findNativeFolder(), 'initdb'))).isFile()).toBe(true)
  })

  it('says what to do when the package is not installed', () => {
    expect(() => findNativeFolder(join(root, 'elsewhere.js'))).toThrow('or set DATABASE_URL')
  })
})

describe('completeNativeFolder', () => {
  it('makes programs run whose links and executable bits are missing', async () => {
    await breakNative()
    await completeNativeFolder(native)
    const version = await runAs(ownAccount, programPath(native, 'postgres'), ['--version'])
    expect(version).toMatch(/^postgres \(PostgreSQL\) \d+/)
  })

  it('makes links that stay right when the folder moves', async () => {
    await completeNativeFolder(native)
    const [link = ''] = await listLinks()
    expect(await readlink(link)).toBe(basename(await readlink(link)))
  })

  it('changes nothing in a complete folder', async () => {
    await completeNativeFolder(native)
    const [link = ''] = await listLinks()
    const before = (await lstat(link)).ino
    await completeNativeFolder(native)
    expect((await lstat(link)).ino).toBe(before)
  })

  it('can run twice at the same time', async () => {
    await breakNative()
    await Promise.all([completeNativeFolder(native), completeNativeFolder(native)])
    const leftovers = (await readdir(join(native, 'lib'))).filter((name) => name.includes('.new-'))
    expect(leftovers).toEqual([])
  })
})

describe('prepareNativeFolder', () => {
  it('runs from the installed folder where that can be completed', async () => {
    expect(await prepareNativeFolder(native, root)).toBe(native)
  })
})

describe('copyNativeFolder', () => {
  it('makes a copy that runs', async () => {
    await breakNative()
    const copy = await copyNativeFolder(native, join(root, 'data'))
    const version = await runAs(ownAccount, programPath(copy, 'postgres'), ['--version'])
    expect(version).toMatch(/^postgres \(PostgreSQL\) \d+/)
  })

  it('makes the copy once', async () => {
    const first = await copyNativeFolder(native, join(root, 'data'))
    const before = (await stat(first)).ino
    const second = await copyNativeFolder(native, join(root, 'data'))
    expect((await stat(second)).ino).toBe(before)
  })
})
