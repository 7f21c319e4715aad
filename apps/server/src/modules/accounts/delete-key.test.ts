import type { ApiKey } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('DELETE /api/keys/:id', () => {
  const { call, newAccount } = harness()
  const make = async (as: string) =>
    (await call<ApiKey & { key: string }>('POST', '/api/keys', { as, body: { name: 'CI' } })).data
  const remove = (id: string, as: string) =>
    call<{ id: string }>('DELETE', `/api/keys/${id}`, { as })

  describe('200', () => {
    it('ends the key at once, also when it was just used', async () => {
      const account = await newAccount()
      const made = await make(account.key)
      expect((await call('GET', '/api/keys', { as: made.key })).status).toBe(200)
      const reply = await remove(made.id, account.key)
      expect(reply.data).toEqual({ id: made.id })
      expect((await call('GET', '/api/keys', { as: made.key })).status).toBe(401)
      expect((await call('GET', '/api/keys', { as: account.key })).meta).toEqual({ total: 1 })
    })

    it('lets a key end itself', async () => {
      const { key } = await newAccount()
      const made = await make(key)
      expect((await remove(made.id, made.key)).status).toBe(200)
      expect((await remove(made.id, made.key)).status).toBe(401)
    })
  })

  describe('400', () => {
    it('refuses what is no id of a key', async () => {
      const { key } = await newAccount()
      const reply = await remove('user_01M7EGPXZ6ANEYWH20MFNTW72G', key)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe('id must be an id that begins with key_.')
    })
  })

  describe('403', () => {
    it('ends no key of another account', async () => {
      const [owner, stranger] = [await newAccount(), await newAccount()]
      const made = await make(owner.key)
      const reply = await remove(made.id, stranger.key)
      expect(reply.status).toBe(403)
      expect(reply.error).toContain('another account')
      expect((await call('GET', '/api/keys', { as: made.key })).status).toBe(200)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const { key } = await newAccount()
      const reply = await remove('key_01M7EGPXZ6ANEYWH20MFNTW72G', key)
      expect(reply.status).toBe(404)
      expect(reply.error).toContain('key_01M7EGPXZ6ANEYWH20MFNTW72G')
    })
  })
})
