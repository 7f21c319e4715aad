import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeNativeFolder, findNativeFolder } from './native-folder.ts'
import { choosePlacement, linkCluster } from './placement.ts'

const isRoot = process.getuid?.() === 0

let root = ''
const native = findNativeFolder()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'merlon-place-'))
  await chmod(root, 0o755)
  await completeNativeFolder(native)
})

afterAll(async () => rm(root, { recursive: true, force: true }))

async function makeFolder(path: string, mode: number): Promise<string> {
  const folder = join(root, path)
  await mkdir(folder, { recursive: true })
  await chmod(folder, mode)
  return folder
}

describe('choosePlacement', () => {
  it('says where a moved cluster was when it is gone', async () => {
    const dataDir = await makeFolder('gone', 0o711)
    await symlink('/nowhere/at-all', join(dataDir, 'postgres'))
    await expect(choosePlacement({ dataDir, native })).rejects.toThrow(
      'was placed in /nowhere/at-all, which is gone',
    )
  })
})

describe.runIf(isRoot)('choosePlacement for root', () => {
  it('lends another account where that can enter the directory', async () => {
    const dataDir = await makeFolder('open', 0o711)
    const { account, home } = await choosePlacement({ dataDir, native })
    expect([account.switchTo?.uid === 0, home]).toEqual([false, dataDir])
  })

  it('lends the account of the user who owns the directory', async () => {
    const dataDir = await makeFolder('owned', 0o700)
    await chown(dataDir, 4321, 4321)
    const { account } = await choosePlacement({ dataDir, native })
    expect(account.switchTo).toEqual({ uid: 4321, gid: 4321 })
  })

  it('opens the data directory itself for passing where namespaces are forbidden', async () => {
    const dataDir = await makeFolder('private', 0o700)
    await choosePlacement({ dataDir, native, namespaces: false })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
  })

  describe('below a closed directory, with namespaces forbidden', () => {
    it('moves to a place of its own', async () => {
      await makeFolder('closed', 0o700)
      const dataDir = await makeFolder('closed/new', 0o711)
      const { home } = await place(dataDir)
      expect(home.startsWith(join(root, 'moved'))).toBe(true)
    })

    it('takes an existing cluster along', async () => {
      const dataDir = await makeFolder('closed/used', 0o711)
      await makeFolder('closed/used/postgres', 0o700)
      await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n')
      await writeFile(join(dataDir, 'postgres-password'), 'x')
      const { home } = await place(dataDir)
      expect((await stat(join(home, 'postgres', 'PG_VERSION'))).isFile()).toBe(true)
    })

    it('finds the place again through the link it leaves', async () => {
      const dataDir = join(root, 'closed', 'used')
      const first = await place(dataDir)
      await linkCluster(dataDir, first.home)
      const second = await place(dataDir)
      expect(second.home).toBe(first.home)
    })

    it('sets aside what a deleted data directory of the same path left there', async () => {
      const dataDir = await makeFolder('closed/again', 0o711)
      const { home } = await place(dataDir)
      await mkdir(join(home, 'postgres'))
      await place(dataDir)
      expect((await readdir(home)).join()).toMatch(/^postgres\.left-\d+$/)
    })

    it('refuses in one sentence where that place cannot be made', async () => {
      const dataDir = await makeFolder('closed/stuck', 0o711)
      const relocationRoot = join(native, 'bin', 'postgres')
      const attempt = choosePlacement({ dataDir, native, namespaces: false, relocationRoot })
      await expect(attempt).rejects.toThrow('PostgreSQL does not run as root')
    })
  })

  async function place(dataDir: string): ReturnType<typeof choosePlacement> {
    const relocationRoot = join(root, 'moved')
    return choosePlacement({ dataDir, native, namespaces: false, relocationRoot })
  }
})
