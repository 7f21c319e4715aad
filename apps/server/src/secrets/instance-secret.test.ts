import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadInstanceSecret } from './instance-secret.ts'

describe('loadInstanceSecret', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'merlon-secret-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('makes a secret once and finds it again', async () => {
    const dataDir = join(folder, 'not', 'there', 'yet')
    const secret = await loadInstanceSecret(dataDir)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await loadInstanceSecret(dataDir)).toBe(secret)
    expect(await loadInstanceSecret(folder)).not.toBe(secret)
  })

  it('keeps it from other users and leaves nothing else behind', async () => {
    await loadInstanceSecret(folder)
    expect(await readdir(folder)).toEqual(['secret'])
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
  })

  it('gives all that start together the same secret', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadInstanceSecret(folder)))
    expect(new Set(secrets).size).toBe(1)
    expect(await readdir(folder)).toEqual(['secret'])
  })

  it('takes a secret that an operator put there, without the end of its line', async () => {
    await writeFile(join(folder, 'secret'), `${'s'.repeat(40)}\n`)
    expect(await loadInstanceSecret(folder)).toBe('s'.repeat(40))
  })

  it('refuses a damaged secret rather than making a new one', async () => {
    await writeFile(join(folder, 'secret'), 'too short')
    await expect(loadInstanceSecret(folder)).rejects.toThrow('is damaged: it is too short')
  })
})
