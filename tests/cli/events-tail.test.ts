import type { SecurityEvent } from '@merlon/client'
import { describe, expect, it } from 'vitest'
import type { Circumstances } from '../../apps/cli/testing/cli-host.ts'
import { cliScene, eventText } from './scene.ts'

const scene = cliScene()
const { merlon, app } = scene

const ingest = async (...events: readonly Record<string, unknown>[]) =>
  merlon(['events', 'ingest'], { stdin: events.map(eventText).join('\n') })

/** A tail that runs; `seen` settles once the text has been written on either channel. */
function startTail(args: readonly string[], given: Circumstances = {}) {
  let text = ''
  let tell: () => void = () => undefined
  const note = (part: string) => {
    text += part
    tell()
  }
  const ended = merlon(['events', 'tail', '--app', app().id, ...args], {
    ...given,
    onOut: note,
    onErr: note,
  })
  const seen = async (wanted: string) => {
    while (!text.includes(wanted)) await new Promise<void>((resolve) => (tell = resolve))
  }
  return { ended, seen }
}

const titlesOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as SecurityEvent).title)

describe('merlon events tail', () => {
  it('shows an event as a line', async () => {
    const { ended, seen } = startTail(['--max', '1'])
    await seen('Connected')
    await ingest({ title: 'Stopped it', ip: '192.0.2.7' })
    expect(await ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\S+ {2}HIGH .*Stopped it {2}ip=192\.0\.2\.7.*\n$/) as string,
    })
  })

  it('writes JSON lines and ends after --max', async () => {
    const { ended, seen } = startTail(['--json', '--max', '2'])
    await seen('Connected')
    await ingest({ title: 'a' }, { title: 'b' }, { title: 'c' })
    expect(titlesOf((await ended).out)).toHaveLength(2)
  })

  it('shows only what was asked for', async () => {
    const wanted = ['--type', 'auth.*', '--severity', 'critical', '--severity', 'low']
    const { ended, seen } = startTail(['--json', '--max', '1', ...wanted])
    await seen('Connected')
    await ingest({ severity: 'LOW' }, { type: 'auth.login', severity: 'HIGH' })
    await ingest({ type: 'auth.login', severity: 'LOW', title: 'this' })
    expect(titlesOf((await ended).out)).toEqual(['this'])
  })

  it('goes on without a gap or a repeat when the connection is cut', async () => {
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    const { ended, seen } = startTail(['--json', '--max', '3'], { wait: async () => held })
    await seen('Connected')
    await ingest({ title: 'before' })
    await seen('before')
    scene.server().server.closeAllConnections()
    await seen('Trying again')
    await ingest({ title: 'meanwhile' })
    letGo()
    await seen('Connected again')
    await ingest({ title: 'after' })
    expect(titlesOf((await ended).out)).toEqual(['before', 'meanwhile', 'after'])
  })

  it('ends with 0 when it is told to stop', async () => {
    const stop = new AbortController()
    const { ended, seen } = startTail([], { stopSignal: () => stop.signal })
    await seen('Connected')
    stop.abort()
    expect(await ended).toMatchObject({ code: 0, out: '' })
  })

  it("ends with 1 when the app is somebody else's", async () => {
    const other = await scene.newApp((await scene.newAccount()).key)
    const run = await merlon(['events', 'tail', '--app', other.id])
    expect(run.code).toBe(1)
  })

  it('ends with 1 when the server cannot be reached', async () => {
    const env = { MERLON_URL: 'http://127.0.0.1:1' }
    expect((await merlon(['events', 'tail', '--app', app().id], { env })).code).toBe(1)
  })
})
