import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { createMetrics } from './metrics.ts'
import { createServer } from './server.ts'

function logged() {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'))
      done()
    },
  })
  return { log: createLog('debug', destination), text: () => lines.join('') }
}

function shell() {
  const { log, text } = logged()
  const server = createServer({
    config: readConfig({}),
    log,
    metrics: createMetrics(),
    now: () => Date.now(),
  })
  server.get('/things/:id', async () => ({ ok: true }))
  server.get('/broken', async () => {
    throw new Error('the cause, for the log alone')
  })
  return { server, text }
}

describe('the log', () => {
  it('has one line for each answer: route pattern, status, time, request id', async () => {
    const { server, text } = shell()
    const answer = await server.inject('/things/7')
    const line = JSON.parse(text()) as Record<string, unknown>
    expect(line).toMatchObject({
      msg: 'request',
      method: 'GET',
      route: '/things/:id',
      status: 200,
      requestId: answer.headers['x-request-id'],
    })
    expect(line['ms']).toBeGreaterThanOrEqual(0)
  })

  it.each(['/things/7?token=hush-hush', '/unknown?token=hush-hush', '/things/%zz?token=hush-hush'])(
    'never contains the query of %s',
    async (url) => {
      const { server, text } = shell()
      await server.inject(url)
      expect(text()).not.toContain('hush-hush')
    },
  )

  it('never contains a credential of the request', async () => {
    const { server, text } = shell()
    const headers = {
      authorization: 'Bearer hush-hush',
      cookie: 'merlon_session=hush-hush',
      'x-api-key': 'hush-hush',
    }
    await server.inject({ url: '/broken', headers })
    expect(text()).not.toContain('hush-hush')
  })

  it('keeps the cause of a failure that the caller is not told', async () => {
    const { server, text } = shell()
    const answer = await server.inject('/broken')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('the cause')
    expect(text()).toContain('the cause, for the log alone')
    expect(text()).toContain(String(answer.headers['x-request-id']))
  })

  it.each([
    'apiKey',
    'authorization',
    'cookie',
    'password',
    'newPassword',
    'currentPassword',
    'secret',
    'token',
    'x-api-key',
  ])('cuts %s out wherever it stands', (name) => {
    const { log, text } = logged()
    const secret = { [name]: 'hush-hush', kept: 'this stays' }
    log.info({ ...secret, one: secret, two: { deep: secret } }, 'a line')
    expect(text()).not.toContain('hush-hush')
    expect(text()).toContain('[redacted]')
    expect(text()).toContain('this stays')
  })
})
