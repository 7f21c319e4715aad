import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildServerProgram, type ServerProgram } from '../../apps/server/testing/server-process.ts'
import { cliScene, eventText } from './scene.ts'

const scene = cliScene()
let program: ServerProgram
beforeAll(async () => {
  program = await buildServerProgram()
})
afterAll(async () => program?.remove())

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The program as it ships; settled once it says that it is connected. */
async function startTail(args: readonly string[] = []) {
  const file = join(dirname(program.file), 'merlon.mjs')
  const child = spawn(
    process.execPath,
    [file, 'events', 'tail', '--app', scene.app().id, ...args],
    {
      env: { MERLON_URL: scene.url(), MERLON_API_KEY: scene.key(), HOME: scene.homeDir() },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  children.push(child)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  let err = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text) => {
      err += String(text)
      if (err.includes('Connected')) resolve()
    })
    child.once('exit', () => reject(new Error(`It ended: ${err}`)))
  })
  return { child, ended, err: () => err }
}

const ingest = async () => scene.merlon(['events', 'ingest'], { stdin: eventText() })

describe('merlon events tail as a program', () => {
  it('ends in good order on Ctrl-C', async () => {
    const { child, ended, err } = await startTail()
    child.kill('SIGINT')
    expect({ ...(await ended), err: err() }).toEqual({
      code: 0,
      signal: null,
      err: 'Connected; waiting for events.\n',
    })
  })

  it('ends without a word when nobody reads any more', async () => {
    const { child, ended, err } = await startTail()
    child.stdout.destroy()
    await ingest()
    expect({ ...(await ended), err: err() }).toEqual({
      code: 0,
      signal: null,
      err: 'Connected; waiting for events.\n',
    })
  })

  it('leaves nothing behind that keeps it running after --max', async () => {
    const { ended } = await startTail(['--max', '1'])
    await ingest()
    expect(await ended).toEqual({ code: 0, signal: null })
  })
})
