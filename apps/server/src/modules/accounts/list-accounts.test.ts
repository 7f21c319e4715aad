import type { Account } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/accounts', () => {
  const { call, newAccount, operatorKey, clock } = harness()

  describe('200', () => {
    it('shows the operator every account, oldest first', async () => {
      clock.advance({ seconds: 1 })
      const first = await newAccount()
      clock.advance({ seconds: 1 })
      const second = await newAccount()
      const reply = await call<Account[]>('GET', '/api/accounts', { as: operatorKey })
      expect(reply.status).toBe(200)
      expect(reply.data.map(({ role }) => role)).toEqual(['operator', 'customer', 'customer'])
      expect(reply.data.slice(1).map(({ id }) => id)).toEqual([first.id, second.id])
      expect(reply.meta).toEqual({ total: 3 })
    })
  })

  describe('403', () => {
    it('refuses a customer', async () => {
      const { key } = await newAccount()
      const reply = await call('GET', '/api/accounts', { as: key })
      expect(reply.status).toBe(403)
      expect(reply.error).toBe("Only the operator's account may do this.")
    })
  })
})
