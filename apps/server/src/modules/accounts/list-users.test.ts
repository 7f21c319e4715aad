import type { User } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/users', () => {
  const { call, newAccount, clock } = harness()

  describe('200', () => {
    it("answers the account's people, oldest first, without a password hash", async () => {
      const [account] = [await newAccount(), await newAccount()]
      clock.advance({ seconds: 1 })
      const body = { email: 'second@example.test' }
      await call('POST', '/api/users', { as: account.key, body })
      const reply = await call<User[]>('GET', '/api/users', { as: account.key })
      expect(reply.status).toBe(200)
      expect(reply.data.map(({ email }) => email)).toEqual([account.email, body.email])
      expect(reply.meta).toEqual({ total: 2 })
      expect(Object.keys(reply.data[0] ?? {}).toSorted()).toEqual([
        'createdAt',
        'email',
        'hasPassword',
        'id',
        'lastSignInAt',
        'name',
      ])
    })
  })
})
