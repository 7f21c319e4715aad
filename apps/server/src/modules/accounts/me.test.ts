import type { Account, User } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

interface Me {
  account: Account
  user: User | null
  csrfToken: string | null
}

describe('GET /api/auth/me', () => {
  const { call, newAccount, signIn, operatorKey } = harness()

  describe('200', () => {
    it('answers the account of an API key, and no person', async () => {
      const { key, id } = await newAccount()
      const reply = await call<Me>('GET', '/api/auth/me', { as: key })
      expect(reply.data).toMatchObject({
        account: { id, role: 'customer', status: 'active' },
        user: null,
        csrfToken: null,
      })
    })

    it('answers the person of a session and the CSRF token that belongs to it', async () => {
      const { signInUrl, userId, email, id } = await newAccount()
      const { cookie, csrf } = await signIn(signInUrl)
      const reply = await call<Me>('GET', '/api/auth/me', { headers: { cookie } })
      expect(reply.data).toMatchObject({
        account: { id },
        user: { id: userId, email, hasPassword: false },
        csrfToken: csrf,
      })
    })

    it('knows the operator', async () => {
      const reply = await call<Me>('GET', '/api/auth/me', { as: operatorKey })
      expect(reply.data.account.role).toBe('operator')
    })

    it('believes the API key where both a key and a cookie come', async () => {
      const { signInUrl } = await newAccount()
      const { cookie } = await signIn(signInUrl)
      const reply = await call<Me>('GET', '/api/auth/me', { as: operatorKey, headers: { cookie } })
      expect(reply.data.account.role).toBe('operator')
      expect(reply.data.csrfToken).toBeNull()
    })
  })

  describe('401', () => {
    it('asks for a key', async () => {
      const reply = await call('GET', '/api/auth/me')
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="merlon"')
    })

    it.each(['merlon_session=', 'merlon_session=short', `merlon_session=${'x'.repeat(43)}`])(
      'refuses the cookie %s',
      async (cookie) => {
        expect((await call('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(401)
      },
    )
  })
})
