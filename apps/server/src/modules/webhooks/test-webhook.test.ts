import type { WebhookDelivery } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { isSignedWith } from '../../../testing/receiver.ts'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('POST /api/webhooks/:id/test', () => {
  const scene = webhookScene()
  const { call, key, newWebhook, receiver, settled, deliveries, newAccount, appId } = scene
  const test = (id: string, as = key()) =>
    call<WebhookDelivery>('POST', `/api/webhooks/${id}/test`, { as })

  describe('202', () => {
    it('sends a test event whatever types were asked for', async () => {
      const { id, secret } = await newWebhook({ events: ['scan.*'] })
      const reply = await test(id)
      expect(reply.status).toBe(202)
      expect(reply.data).toMatchObject({ webhookId: id, status: 'pending', attempts: 0 })
      await settled()
      const [received] = receiver().calls
      expect(received?.body).toMatchObject({ id: reply.data.id, appId: appId() })
      expect(received?.body.events).toMatchObject([
        { id: reply.data.eventIds[0], type: 'webhook.test', severity: 'INFO' },
      ])
      expect(received && isSignedWith(secret, received)).toBe(true)
      expect(await deliveries(id)).toMatchObject([{ id: reply.data.id, status: 'delivered' }])
    })

    it('is no event of the app', async () => {
      const { id } = await newWebhook()
      await test(id)
      await settled()
      const found = await call('GET', `/api/events?appId=${appId()}`, { as: key() })
      expect(found.data).toEqual([])
    })

    it('goes out at once although the receiver has been failing, and ends the pause', async () => {
      const { id } = await newWebhook()
      receiver().answer(500)
      await scene.ingest('auth.login')
      await settled()
      await scene.ingest('auth.waiting')
      receiver().answer(200)
      await test(id)
      await settled()
      const types = receiver().calls.flatMap(({ body }) => body.events.map(({ type }) => type))
      expect(types).toEqual(['auth.login', 'webhook.test', 'auth.waiting'])
    })
  })

  describe('400', () => {
    it('refuses what is no id of a webhook', async () => {
      expect((await test('nonsense')).status).toBe(400)
    })
  })

  describe('403', () => {
    it('tests none of another account', async () => {
      const { id } = await newWebhook()
      expect((await test(id, (await newAccount()).key)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await test('wh_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(404)
    })
  })
})
