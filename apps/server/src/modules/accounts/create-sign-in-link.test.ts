import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/users/:id/sign-in-link', () => {
  const { call, newAccount, signIn, clock } = harness()
  const create = (id: string, as: string) =>
    call<{ url: string; expiresAt: string }>('POST', `/api/users/${id}/sign-in-link`, { as })

  describe('201', () => {
    it('answers a link of one day that signs the person in', async () => {
      const { key, userId } = await newAccount()
      const reply = await create(userId, key)
      expect(reply.status).toBe(201)
      expect(reply.data.url).toMatch(/^http:\/\/merlon\.test\/signin#token=[\w-]{43}$/)
      expect(reply.data.expiresAt).toBe(new Date(clock.now() + 86_400_000).toISOString())
      const { headers } = await signIn(reply.data.url)
      const me = await call<{ user: { id: string } }>('GET', '/api/auth/me', { headers })
      expect(me.data.user.id).toBe(userId)
    })

    it('leaves an earlier link valid', async () => {
      const { key, userId, signInUrl } = await newAccount()
      await create(userId, key)
      expect((await signIn(signInUrl)).csrf).toMatch(/^[\w-]{43}$/)
    })
  })

  describe('400', () => {
    it('refuses what is no id of a person', async () => {
      const { key } = await newAccount()
      expect((await create('key_01M7EGPXZ6ANEYWH20MFNTW72G', key)).status).toBe(400)
    })
  })

  describe('403', () => {
    it('makes no link for a person of another account', async () => {
      const [owner, stranger] = [await newAccount(), await newAccount()]
      const reply = await create(owner.userId, stranger.key)
      expect(reply.status).toBe(403)
      expect(reply.error).toContain('another account')
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const { key } = await newAccount()
      expect((await create('user_01M7EGPXZ6ANEYWH20MFNTW72G', key)).status).toBe(404)
    })
  })
})
