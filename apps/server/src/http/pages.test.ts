import pg from 'pg'
import { openApiDocument } from '@merlon/contract'
import { describe, expect, inject, it } from 'vitest'
import { harness } from '../../testing/harness.ts'

describe('what people and probes look at', () => {
  const house = harness()

  it.each(['/', '/signin', '/docs'])(
    'serves the page %s under a policy of its own',
    async (path) => {
      const { status, headers } = await house.call('GET', path)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toContain("default-src 'self'")
      expect(headers['x-request-id']).toMatch(/^req_/)
    },
  )

  it('says on /healthz that it is alive', async () => {
    const { status, data } = await house.call('GET', '/healthz')
    expect({ status, data }).toEqual({ status: 200, data: { status: 'alive' } })
  })

  it('says on /readyz that it is ready', async () => {
    const { status, data } = await house.call('GET', '/readyz')
    expect({ status, data }).toEqual({ status: 200, data: { status: 'ready' } })
  })

  it('counts requests on /metrics by route, never by address', async () => {
    await house.call('GET', '/api/apps/app_00000000000000000000000000', { as: house.operatorKey })
    const { status, raw } = await house.call('GET', '/metrics')
    expect(status).toBe(200)
    expect(raw.body).toContain('route="/api/apps/:id",status="404"')
    expect(raw.body).not.toContain('app_0000')
  })

  it('serves the published contract', async () => {
    const { raw } = await house.call('GET', '/openapi.json')
    expect(raw.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  it('answers 304 to whoever has the page already', async () => {
    const first = await house.call('GET', '/docs')
    const headers = { 'if-none-match': String(first.headers['etag']) }
    expect((await house.call('GET', '/docs', { headers })).status).toBe(304)
  })

  it.each(['nothing.js', '..%2f..%2fconfig.ts', '__proto__', '%00'])(
    'has no file %s to give',
    async (name) => {
      const { status, ok } = await house.call('GET', `/static/${name}`)
      expect({ status, ok }).toEqual({ status: 404, ok: false })
    },
  )
})

describe('the metrics with a token', () => {
  const house = harness({ MERLON_METRICS_TOKEN: 'a token for the collector' })

  it('open to the token alone', async () => {
    const ask = (as?: string) => house.call('GET', '/metrics', as === undefined ? {} : { as })
    expect((await ask()).status).toBe(401)
    expect((await ask('another token')).status).toBe(401)
    expect((await ask('a token for the collector')).status).toBe(200)
  })
})

describe('readiness without a database', () => {
  const house = harness()

  it('is 503 while the database is gone, and 200 when it is back', async () => {
    const { database } = house.connection()
    const admin = new pg.Client({ ...inject('postgres') })
    await admin.connect()
    try {
      await admin.query(`alter database ${database} allow_connections false`)
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [database],
      )
      const gone = await house.call('GET', '/readyz')
      expect(gone.status).toBe(503)
      expect(gone.error).toBe('Not ready: the database does not answer.')
      expect(gone.headers['retry-after']).toBe('1')
      expect((await house.call('GET', '/healthz')).status).toBe(200)
      await admin.query(`alter database ${database} allow_connections true`)
      // A pool may still hold connections that it does not know to be dead.
      await expect.poll(async () => (await house.call('GET', '/readyz')).status).toBe(200)
    } finally {
      await admin.end()
    }
  })
})
