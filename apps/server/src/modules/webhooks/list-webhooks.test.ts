import type { Webhook } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('GET /api/webhooks', () => {
  const { call, key, appId, newWebhook, newAccount, newApp, clock } = webhookScene()
  const list = (id = appId(), as = key()) =>
    call<Webhook[]>('GET', `/api/webhooks?appId=${id}`, { as })

  describe('200', () => {
    it('is empty for an app without one', async () => {
      expect((await list()).raw.json()).toEqual({ ok: true, data: [], meta: { total: 0 } })
    })

    it("answers the app's own, oldest first, without their secrets", async () => {
      const { secret: _first, ...first } = await newWebhook()
      clock.advance({ seconds: 1 })
      const { secret: _second, ...second } = await newWebhook()
      const other = await newApp(key())
      await newWebhook({ appId: other.id })
      const reply = await list()
      expect(reply.data).toEqual([first, second])
      expect(reply.meta).toEqual({ total: 2 })
    })
  })

  describe('400', () => {
    it('wants to know the app', async () => {
      const reply = await call('GET', '/api/webhooks', { as: key() })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('appId')
    })
  })

  describe('403', () => {
    it("shows none of another account's app", async () => {
      expect((await list(appId(), (await newAccount()).key)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an app exists nowhere', async () => {
      expect((await list('app_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(404)
    })
  })
})
