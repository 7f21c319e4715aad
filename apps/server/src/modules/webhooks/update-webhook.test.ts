import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('PATCH /api/webhooks/:id', () => {
  const scene = webhookScene()
  const { newWebhook, patch, get, receiver, ingest, settled, clock, newAccount } = scene

  describe('200', () => {
    it('changes what is named and keeps the rest', async () => {
      const { secret: _secret, ...webhook } = await newWebhook({ description: 'Alarms' })
      const reply = await patch(webhook.id, { events: ['scan.*'] })
      expect(reply.data).toEqual({ ...webhook, events: ['scan.*'] })
      expect((await patch(webhook.id, { description: null })).data.description).toBeNull()
      expect((await patch(webhook.id, {})).data).toEqual({
        ...webhook,
        events: ['scan.*'],
        description: null,
      })
      expect(await get(webhook.id)).toEqual((await patch(webhook.id, {})).data)
    })

    it('switches off: from then on nothing is sent', async () => {
      const { id } = await newWebhook()
      expect((await patch(id, { enabled: false })).data.enabled).toBe(false)
      await ingest('auth.login')
      await settled()
      expect(receiver().calls).toEqual([])
    })

    it('forgets the failures of the address before', async () => {
      const { id } = await newWebhook()
      receiver().answer(500)
      await ingest('auth.login')
      await settled()
      expect((await get(id)).consecutiveFailures).toBe(1)
      expect((await patch(id, { url: `${receiver().url}2` })).data.consecutiveFailures).toBe(0)
      receiver().answer(200)
      clock.advance({ minutes: 1 })
      await settled()
      expect(receiver().calls).toHaveLength(2)
    })
  })

  describe('400', () => {
    it.each<[object, string]>([
      [{ url: 'nowhere' }, 'url'],
      [{ url: 'http://a:b@c.test/' }, 'url must not contain a user name or password.'],
      [{ events: [] }, 'events'],
      [{ secret: 'another secret, longer' }, 'secret is not a known field.'],
      [{ appId: 'app_01M7EGPXZ6ANEYWH20MFNTW72G' }, 'appId is not a known field.'],
    ])('refuses %j and names what is wrong', async (body, sentence) => {
      const { id } = await newWebhook()
      const reply = await patch(id, body)
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(sentence)
    })
  })

  describe('403', () => {
    it('changes none of another account', async () => {
      const { id } = await newWebhook()
      const reply = await patch(id, { enabled: false }, (await newAccount()).key)
      expect(reply.status).toBe(403)
      expect(reply.error).toBe(`Webhook ${id} belongs to another account.`)
      expect((await get(id)).enabled).toBe(true)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const reply = await patch('wh_01M7EGPXZ6ANEYWH20MFNTW72G', {})
      expect(reply.status).toBe(404)
      expect(reply.error).toBe('Webhook wh_01M7EGPXZ6ANEYWH20MFNTW72G does not exist.')
    })
  })
})
