import type { ApiKey } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/keys', () => {
  const { call, newAccount, clock } = harness()

  describe('200', () => {
    it("answers the account's keys, oldest first, and never a key itself", async () => {
      const [{ key }] = [await newAccount(), await newAccount()]
      clock.advance({ seconds: 1 })
      const made = await call<ApiKey & { key: string }>('POST', '/api/keys', {
        as: key,
        body: { name: 'CI' },
      })
      const reply = await call<ApiKey[]>('GET', '/api/keys', { as: key })
      expect(reply.status).toBe(200)
      expect(reply.data.map(({ name }) => name)).toEqual(['First key', 'CI'])
      expect(reply.meta).toEqual({ total: 2 })
      const { key: _key, ...shown } = made.data
      expect(reply.data[1]).toEqual(shown)
      expect(reply.raw.body).not.toContain(made.data.key)
      expect(reply.raw.body).not.toContain(key)
    })
  })
})
