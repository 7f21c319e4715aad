import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMachine } from '../../testing/cli-host.ts'

describe('the two channels', () => {
  let machine: Awaited<ReturnType<typeof createMachine>>
  beforeAll(async () => {
    machine = await createMachine()
  })
  afterAll(async () => machine.remove())
  const noServer = { env: { MERLON_URL: 'http://127.0.0.1:1' } }

  it('carries no color into a pipe', async () => {
    expect((await machine.merlon(['doctor'], noServer)).out).not.toContain('\u001B')
  })

  it('colors a terminal', async () => {
    expect((await machine.merlon(['doctor'], { ...noServer, stdoutIsTty: true })).out).toContain(
      '\u001B[31mFAIL',
    )
  })

  it('obeys NO_COLOR', async () => {
    const env = { ...noServer.env, NO_COLOR: '1' }
    const { out } = await machine.merlon(['doctor'], { env, stdoutIsTty: true })
    expect(out).not.toContain('\u001B')
  })

  it('keeps stdout clean when a command fails', async () => {
    expect((await machine.merlon(['apps', 'list'])).out).toBe('')
  })

  it('writes a failure as one line of JSON under --json', async () => {
    const { err } = await machine.merlon(['apps', 'list', '--json'])
    expect(JSON.parse(err)).toMatchObject({ ok: false })
  })
})
