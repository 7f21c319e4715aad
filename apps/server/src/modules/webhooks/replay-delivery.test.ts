import type { WebhookDelivery } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('POST /api/webhooks/:id/deliveries/:deliveryId/replay', () => {
  const scene = webhookScene()
  const { call, key, newWebhook, receiver, settled, deliveries, newAccount, clock } = scene
  const replay = (id: string, deliveryId: string, as = key()) =>
    call<WebhookDelivery>('POST', `/api/webhooks/${id}/deliveries/${deliveryId}/replay`, { as })
  const delivered = async () => {
    const webhook = await newWebhook()
    await scene.ingest('auth.login', 'auth.logout')
    await settled()
    const [delivery] = await deliveries(webhook.id)
    return { id: webhook.id, deliveryId: delivery?.id ?? '' }
  }

  describe('202', () => {
    it('sends the same body again, as a delivery that says which one it repeats', async () => {
      const { id, deliveryId } = await delivered()
      clock.advance({ minutes: 1 })
      const reply = await replay(id, deliveryId)
      expect(reply.status).toBe(202)
      expect(reply.data).toMatchObject({ status: 'pending', replayOf: deliveryId, attempts: 0 })
      await settled()
      const [first, second] = receiver().calls
      expect(second?.text).toBe(first?.text)
      expect(second?.headers['merlon-delivery']).toBe(reply.data.id)
      expect(second?.body.id).toBe(deliveryId)
      expect(await deliveries(id)).toMatchObject([
        { id: reply.data.id, status: 'delivered' },
        { id: deliveryId, status: 'delivered' },
      ])
    })

    it('names the first one also when a repetition is repeated', async () => {
      const { id, deliveryId } = await delivered()
      const again = await replay(id, deliveryId)
      expect((await replay(id, again.data.id)).data.replayOf).toBe(deliveryId)
      await settled()
      expect(new Set(receiver().calls.map(({ text }) => text)).size).toBe(1)
    })

    it('repeats a test', async () => {
      const { id } = await newWebhook()
      const test = await call<WebhookDelivery>('POST', `/api/webhooks/${id}/test`, { as: key() })
      await settled()
      await replay(id, test.data.id)
      await settled()
      const [first, second] = receiver().calls
      expect(JSON.parse(second?.text ?? '')).toEqual(JSON.parse(first?.text ?? ''))
    })
  })

  describe('400', () => {
    it('refuses what is no id of a delivery', async () => {
      const { id } = await newWebhook()
      expect((await replay(id, 'nonsense')).status).toBe(400)
    })
  })

  describe('403', () => {
    it('repeats none of another account', async () => {
      const { id, deliveryId } = await delivered()
      expect((await replay(id, deliveryId, (await newAccount()).key)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const { id } = await newWebhook()
      const reply = await replay(id, 'whd_01M7EGPXZ6ANEYWH20MFNTW72G')
      expect(reply.status).toBe(404)
      expect(reply.error).toBe('Delivery whd_01M7EGPXZ6ANEYWH20MFNTW72G does not exist.')
    })

    it('does not find the delivery of another webhook', async () => {
      const { deliveryId } = await delivered()
      const other = await newWebhook()
      expect((await replay(other.id, deliveryId)).status).toBe(404)
    })
  })
})
