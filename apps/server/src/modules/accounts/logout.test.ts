import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/auth/logout', () => {
  const { call, newAccount, signIn } = harness()
  const logout = (headers: Record<string, string>) =>
    call<{ signedOut: boolean }>('POST', '/api/auth/logout', { headers })

  describe('200', () => {
    it('ends the session and takes the cookie away', async () => {
      const { headers } = await signIn((await newAccount()).signInUrl)
      expect((await call('GET', '/api/auth/me', { headers })).status).toBe(200)
      const reply = await logout(headers)
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual({ signedOut: true })
      expect(reply.headers['set-cookie']).toMatch(/^merlon_session=; .*Max-Age=0/)
      expect((await call('GET', '/api/auth/me', { headers })).status).toBe(401)
    })

    it("leaves the person's other sessions open", async () => {
      const { key, userId, signInUrl } = await newAccount()
      const first = await signIn(signInUrl)
      const link = await call<{ url: string }>('POST', `/api/users/${userId}/sign-in-link`, {
        as: key,
      })
      const second = await signIn(link.data.url)
      await logout(first.headers)
      expect((await call('GET', '/api/auth/me', { headers: second.headers })).status).toBe(200)
    })
  })

  describe('401', () => {
    it('refuses an API key: only a session can end', async () => {
      const { key } = await newAccount()
      const reply = await call('POST', '/api/auth/logout', { as: key })
      expect(reply.status).toBe(401)
      expect(reply.error).toBe('This call needs a signed-in session.')
    })

    it('refuses a session that has ended', async () => {
      const { headers } = await signIn((await newAccount()).signInUrl)
      await logout(headers)
      expect((await logout(headers)).status).toBe(401)
    })
  })

  describe('403', () => {
    it.each([undefined, '', 'wrong', 'x'.repeat(43)])(
      'refuses the CSRF token %j, and the session goes on',
      async (token) => {
        const { cookie } = await signIn((await newAccount()).signInUrl)
        const reply = await logout({
          cookie,
          ...(token === undefined ? {} : { 'x-csrf-token': token }),
        })
        expect(reply.status).toBe(403)
        expect(reply.error).toContain('X-CSRF-Token')
        expect((await call('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(200)
      },
    )

    it('refuses the CSRF token of another session', async () => {
      const mine = await signIn((await newAccount()).signInUrl)
      const other = await signIn((await newAccount()).signInUrl)
      const reply = await logout({ cookie: mine.cookie, 'x-csrf-token': other.csrf })
      expect(reply.status).toBe(403)
    })
  })
})
