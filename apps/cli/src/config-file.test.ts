import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMachine } from '../testing/cli-host.ts'
import { isReadableByOthers, readConfigFile, writeConfigFile } from './config-file.ts'

describe('the config file', () => {
  let machine: Awaited<ReturnType<typeof createMachine>>
  let path: string
  beforeEach(async () => {
    machine = await createMachine()
    path = join(machine.homeDir, '.config', 'merlon', 'config.json')
  })
  afterEach(async () => machine.remove())

  it('is empty while there is none', async () => {
    expect(await readConfigFile(path)).toEqual({})
  })

  it('gives back what was written', async () => {
    await writeConfigFile(path, { url: 'https://host.test', apiKey: 'key' })
    expect(await readConfigFile(path)).toEqual({ url: 'https://host.test', apiKey: 'key' })
  })

  it('can be read by its owner alone', async () => {
    await writeConfigFile(path, { apiKey: 'key' })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('closes a file that others could read when it is written again', async () => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '{}', { mode: 0o644 })
    await writeConfigFile(path, { apiKey: 'key' })
    expect(await isReadableByOthers(path)).toBe(false)
  })

  it('leaves no draft behind', async () => {
    await writeConfigFile(path, { apiKey: 'key' })
    expect(await readdir(dirname(path))).toEqual(['config.json'])
  })

  it.each(['', '{', 'null', '"text"'])('says that %j is damaged', async (text) => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    await expect(readConfigFile(path)).rejects.toThrow('damaged')
  })
})
