import type { WebhookDelivery } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('GET /api/webhooks/:id/deliveries', () => {
  const scene = webhookScene()
  const { call, key, newWebhook, receiver, settled, deliveries, newAccount, clock } = scene
  const list = (id: string, search = '', as = key()) =>
    call<WebhookDelivery[]>('GET', `/api/webhooks/${id}/deliveries${search}`, { as })
  const test = async (id: string) => {
    clock.advance({ seconds: 1 })
    return (await call<WebhookDelivery>('POST', `/api/webhooks/${id}/test`, { as: key() })).data.id
  }

  describe('200', () => {
    it('answers newest first, page by page', async () => {
      const { id } = await newWebhook()
      const made = [await test(id), await test(id), await test(id)].toReversed()
      const first = await list(id, '?limit=2')
      expect(first.data.map((delivery) => delivery.id)).toEqual(made.slice(0, 2))
      expect(first.meta).toEqual({ limit: 2, nextCursor: made[1] })
      const second = await list(id, `?limit=2&cursor=${made[1]}`)
      expect(second.data.map((delivery) => delivery.id)).toEqual(made.slice(2))
      expect(second.meta).toEqual({ limit: 2, nextCursor: null })
    })

    it('answers those of one status', async () => {
      const { id } = await newWebhook()
      const good = await test(id)
      await settled()
      receiver().answer(500)
      const bad = await test(id)
      await settled()
      const idsOf = async (status: string) =>
        (await deliveries(id, `?status=${status}`)).map((delivery) => delivery.id)
      expect(await idsOf('delivered')).toEqual([good])
      expect(await idsOf('pending')).toEqual([bad])
      expect(await idsOf('failed')).toEqual([])
    })

    it('forgets them after thirty days', async () => {
      const { id } = await newWebhook()
      await test(id)
      await settled()
      clock.advance({ days: 29 })
      const young = await test(id)
      await settled()
      clock.advance({ days: 2 })
      await scene.jobsDone()
      await expect
        .poll(async () => (await deliveries(id)).map((delivery) => delivery.id), {
          timeout: 10_000,
        })
        .toEqual([young])
    })
  })

  describe('400', () => {
    it.each(['?status=lost', '?cursor=nonsense', '?limit=0', '?limit=101'])(
      'refuses %s',
      async (search) => {
        const { id } = await newWebhook()
        expect((await list(id, search)).status).toBe(400)
      },
    )
  })

  describe('403', () => {
    it('shows none of another account', async () => {
      const { id } = await newWebhook()
      expect((await list(id, '', (await newAccount()).key)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await list('wh_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(404)
    })
  })
})
