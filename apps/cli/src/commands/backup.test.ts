import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMachine, type Circumstances } from '../../testing/cli-host.ts'

describe('merlon backup and restore', () => {
  let machine: Awaited<ReturnType<typeof createMachine>>
  let file: string
  let calls: { args: readonly string[]; env: Readonly<Record<string, string>> }[]
  beforeEach(async () => {
    machine = await createMachine()
    file = join(machine.homeDir, 'merlon.backup')
    calls = []
    await writeFile(join(machine.homeDir, 'server.mjs'), '')
  })
  afterEach(async () => machine.remove())

  const serverThatEndsWith = (code: number): Circumstances => ({
    runProgram: async (_, args, env) => {
      calls.push({ args, env })
      if (code === 0 && args[0] === 'backup') await writeFile(file, 'five!')
      return code
    },
  })

  it('says where the backup is and how large', async () => {
    const { out } = await machine.merlon(
      ['backup', 'merlon.backup', '--json'],
      serverThatEndsWith(0),
    )
    expect(JSON.parse(out)).toEqual({ file, bytes: 5 })
  })

  it('ends with 1 when the server could not make it', async () => {
    expect(await machine.merlon(['backup', file], serverThatEndsWith(1))).toMatchObject({
      code: 1,
      out: '',
    })
  })

  it('passes the data directory on', async () => {
    await machine.merlon(['backup', file, '--data-dir', 'data'], serverThatEndsWith(0))
    expect(calls[0]?.env).toEqual({ MERLON_DATA_DIR: join(machine.homeDir, 'data') })
  })

  it('restores without a question into an empty place', async () => {
    await writeFile(file, 'x')
    await machine.merlon(['restore', file], serverThatEndsWith(0))
    expect(calls[0]?.args).toEqual(['restore', file])
  })

  it('replaces a database only after a yes', async () => {
    await writeFile(file, 'x')
    const run = await machine.merlon(['restore', file, '--force'], serverThatEndsWith(0))
    expect({ code: run.code, calls }).toEqual({ code: 2, calls: [] })
  })

  it('replaces it with --force --yes', async () => {
    await writeFile(file, 'x')
    await machine.merlon(['restore', file, '--force', '--yes'], serverThatEndsWith(0))
    expect(calls[0]?.args).toEqual(['restore', file, '--force'])
  })

  it('does not start a server for a file that is not there', async () => {
    const run = await machine.merlon(['restore', 'nothing'], serverThatEndsWith(0))
    expect({ code: run.code, calls }).toEqual({ code: 1, calls: [] })
  })
})
