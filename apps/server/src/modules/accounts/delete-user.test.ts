import type { User } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

describe('DELETE /api/users/:id', () => {
  const { call, newAccount, signIn, db, connection } = harness()
  let made = 0
  const addTo = async (as: string) =>
    (
      await call<User & { signInLink: { url: string } }>('POST', '/api/users', {
        as,
        body: { email: `more-${++made}@example.test` },
      })
    ).data
  const remove = (id: string, as: string) =>
    call<{ id: string }>('DELETE', `/api/users/${id}`, { as })

  describe('200', () => {
    it('removes the person and ends their sessions at once', async () => {
      const { key } = await newAccount()
      const person = await addTo(key)
      const { headers } = await signIn(person.signInLink.url)
      expect((await call('GET', '/api/auth/me', { headers })).status).toBe(200)
      const reply = await remove(person.id, key)
      expect(reply.data).toEqual({ id: person.id })
      expect((await call('GET', '/api/auth/me', { headers })).status).toBe(401)
      expect((await call('GET', '/api/users', { as: key })).meta).toEqual({ total: 1 })
    })
  })

  describe('400', () => {
    it('refuses what is no id of a person', async () => {
      const { key } = await newAccount()
      expect((await remove('me', key)).error).toBe('id must be an id that begins with user_.')
    })
  })

  describe('403', () => {
    it('removes nobody of another account', async () => {
      const [owner, stranger] = [await newAccount(), await newAccount()]
      expect((await remove(owner.userId, stranger.key)).status).toBe(403)
      expect((await call('GET', '/api/users', { as: owner.key })).meta).toEqual({ total: 1 })
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const { key } = await newAccount()
      expect((await remove('user_01M7EGPXZ6ANEYWH20MFNTW72G', key)).status).toBe(404)
    })
  })

  describe('409', () => {
    it('keeps the last person of an account', async () => {
      const { key, userId } = await newAccount()
      const reply = await remove(userId, key)
      expect(reply.status).toBe(409)
      expect(reply.error).toBe('The last person of an account cannot be removed.')
    })

    it('keeps one of two who are removed at once', async () => {
      const { key, id, userId } = await newAccount()
      const other = await addTo(key)
      const replies = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from users where account_id = '${id}' for update`,
          start: () => [remove(userId, key), remove(other.id, key)],
          waiting: 2,
        },
      )
      expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
      expect((await call('GET', '/api/users', { as: key })).meta).toEqual({ total: 1 })
    })
  })
})
