import type { Webhook } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('DELETE /api/webhooks/:id', () => {
  const scene = webhookScene()
  const { call, key, appId, newWebhook, receiver, ingest, settled, newAccount, jobsDone } = scene
  const remove = (id: string, as = key()) =>
    call<{ id: string }>('DELETE', `/api/webhooks/${id}`, { as })
  const rowsOf = (id: string) =>
    scene.db().selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', id).execute()

  describe('200', () => {
    it('removes the webhook and its log, and sends nothing more', async () => {
      const { id } = await newWebhook()
      receiver().answer(500)
      await ingest('auth.login')
      await settled()
      expect(await rowsOf(id)).toHaveLength(1)
      expect((await remove(id)).data).toEqual({ id })
      await jobsDone()
      expect(await rowsOf(id)).toEqual([])
      scene.clock.advance({ minutes: 1 })
      await ingest('auth.login')
      await settled()
      expect(receiver().calls).toHaveLength(1)
      const left = await call<Webhook[]>('GET', `/api/webhooks?appId=${appId()}`, { as: key() })
      expect(left.data).toEqual([])
    })

    it('goes with its app', async () => {
      const { id } = await newWebhook()
      await ingest('auth.login')
      await settled()
      await call('DELETE', `/api/apps/${appId()}`, { as: key() })
      await jobsDone()
      expect(await rowsOf(id)).toEqual([])
      expect((await remove(id)).status).toBe(404)
    })
  })

  describe('400', () => {
    it('refuses what is no id of a webhook', async () => {
      expect((await remove('app_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(400)
    })
  })

  describe('403', () => {
    it('removes none of another account', async () => {
      const { id } = await newWebhook()
      expect((await remove(id, (await newAccount()).key)).status).toBe(403)
      expect((await remove(id)).status).toBe(200)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await remove('wh_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(404)
    })
  })
})
