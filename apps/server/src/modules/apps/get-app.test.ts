import type { App } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/apps/:id', () => {
  const { call, newAccount, newApp } = harness()

  describe('200', () => {
    it('answers the whole app with its settings and its key', async () => {
      const { key } = await newAccount()
      const app = await newApp(key)
      const reply = await call<App>('GET', `/api/apps/${app.id}`, { as: key })
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual(app)
      expect(reply.data.settings.vault.sensitiveFields).toEqual(['email', 'phone', 'ssn'])
    })

    it('ignores query parameters that it does not know', async () => {
      const { key } = await newAccount()
      const app = await newApp(key)
      expect((await call('GET', `/api/apps/${app.id}?colour=red`, { as: key })).status).toBe(200)
    })
  })

  describe('400', () => {
    it.each(['nonsense', 'app_', 'app_01', 'acct_01M7EGPXZ6ANEYWH20MFNTW72G', '%00'])(
      'refuses the id %j by its shape',
      async (id) => {
        const { key } = await newAccount()
        const reply = await call('GET', `/api/apps/${id}`, { as: key })
        expect(reply.status).toBe(400)
        expect(reply.error).toMatch(/^id /)
      },
    )
  })

  describe('403', () => {
    it('refuses an app of another account', async () => {
      const [owner, stranger] = [await newAccount(), await newAccount()]
      const app = await newApp(owner.key)
      const reply = await call('GET', `/api/apps/${app.id}`, { as: stranger.key })
      expect(reply.status).toBe(403)
      expect(reply.error).toContain('another account')
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const { key } = await newAccount()
      const reply = await call('GET', '/api/apps/app_01M7EGPXZ6ANEYWH20MFNTW72G', { as: key })
      expect(reply.status).toBe(404)
      expect(reply.error).toContain('app_01M7EGPXZ6ANEYWH20MFNTW72G')
    })
  })
})
