import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockDataDirectory } from './data-directory-lock.ts'

let root = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'merlon-lock-'))
})

afterAll(async () => rm(root, { recursive: true, force: true }))

describe('lockDataDirectory', () => {
  it('refuses a second owner in a sentence with the directory and the process', async () => {
    const dataDir = join(root, 'one')
    const lock = await lockDataDirectory(dataDir)
    await expect(lockDataDirectory(dataDir)).rejects.toThrow(
      `The data directory ${dataDir} is in use by another Merlon process (pid ${process.pid}).`,
    )
    await lock.release()
  })

  it('lets the next one in after a release', async () => {
    const dataDir = join(root, 'next')
    await (await lockDataDirectory(dataDir)).release()
    const lock = await lockDataDirectory(dataDir)
    await lock.release()
    expect(await readdir(join(dataDir, '.lock-server'))).toEqual([])
  })

  it('keeps the two purposes apart', async () => {
    const dataDir = join(root, 'purposes')
    const server = await lockDataDirectory(dataDir)
    const postgres = await lockDataDirectory(dataDir, 'postgres')
    await Promise.all([server.release(), postgres.release()])
    expect(await readdir(dataDir)).toEqual(['.lock-postgres', '.lock-server'])
  })

  it('is not held up by the lock of a process that was killed', async () => {
    const dataDir = join(root, 'killed')
    await mkdir(join(dataDir, '.lock-server'), { recursive: true })
    const socket = join(dataDir, '.lock-server', '999999-aa.sock')
    const script = `require('net').createServer().listen(process.argv[1], () => console.log('listening'))`
    const child = spawn(process.execPath, ['-e', script, socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const lock = await lockDataDirectory(dataDir)
    const names = await readdir(join(dataDir, '.lock-server'))
    await lock.release()
    expect([names.length, names.includes('999999-aa.sock')]).toEqual([1, false])
  })

  it('counts a process that does not answer as the owner', async () => {
    const dataDir = join(root, 'busy')
    await mkdir(join(dataDir, '.lock-server'), { recursive: true })
    const socket = join(dataDir, '.lock-server', '424242-aa.sock')
    const script = `require('net').createServer().listen(process.argv[1], () => console.log('listening'))`
    const child = spawn(process.execPath, ['-e', script, socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGSTOP')
    await expect(lockDataDirectory(dataDir)).rejects.toThrow('pid 424242')
    child.kill('SIGKILL')
  })

  it('lets exactly one of many that start at the same instant win, time after time', async () => {
    const winners: number[] = []
    for (let round = 0; round < 25; round++) {
      const results = await Promise.allSettled(
        Array.from({ length: 2 + (round % 5) }, async () => lockDataDirectory(join(root, 'many'))),
      )
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      await Promise.all(won.map(async (lock) => lock.release()))
      winners.push(won.length)
    }
    expect(new Set(winners)).toEqual(new Set([1]))
  })

  it('works below a path too long for a socket', async () => {
    const dataDir = join(root, 'long'.repeat(30))
    const lock = await lockDataDirectory(dataDir)
    await expect(lockDataDirectory(dataDir)).rejects.toThrow(`(pid ${process.pid})`)
    await lock.release()
  })
})
