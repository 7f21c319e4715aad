import { beforeAll, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/events/stream-token', () => {
  const house = harness()
  const { call, clock, newAccount, newApp } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const ask = (body: unknown) =>
    call<{ token: string; expiresAt: string }>('POST', '/api/events/stream-token', {
      as: key,
      body,
    })

  describe('201', () => {
    it('answers a token that fits into an address and runs out in 60 seconds', async () => {
      const app = await newApp(key)
      const reply = await ask({ appId: app.id })
      expect(reply.status).toBe(201)
      expect(reply.data.expiresAt).toBe(new Date(clock.now() + 60_000).toISOString())
      expect(reply.data.token).toMatch(/^[\w.~-]+$/)
    })

    it('gives each app a token of its own', async () => {
      const [a, b] = [await newApp(key), await newApp(key)]
      const tokens = [await ask({ appId: a.id }), await ask({ appId: b.id })]
      expect(tokens[0]?.data.token).not.toBe(tokens[1]?.data.token)
    })

    it('leaves no audit entry: it changes nothing', async () => {
      const app = await newApp(key)
      await ask({ appId: app.id })
      const { data } = await call<{ action: string }[]>('GET', '/api/audit', { as: key })
      expect(data.map(({ action }) => action).join()).not.toMatch(/stream/)
    })
  })

  describe('400', () => {
    it.each([{}, { appId: 5 }, { appId: 'x' }])('refuses %j', async (body) => {
      expect((await ask(body)).status).toBe(400)
    })

    it('refuses a field that it does not know', async () => {
      const app = await newApp(key)
      expect((await ask({ appId: app.id, ttl: 5 })).error).toContain('ttl')
    })
  })

  describe('403', () => {
    it("refuses another account's app", async () => {
      const other = await newApp((await newAccount()).key)
      expect((await ask({ appId: other.id })).status).toBe(403)
    })
  })

  describe('404', () => {
    it('knows no such app', async () => {
      expect((await ask({ appId: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).status).toBe(404)
    })
  })
})
