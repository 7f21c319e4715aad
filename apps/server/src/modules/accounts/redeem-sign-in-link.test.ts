import { describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

interface SignedIn {
  user: { id: string; lastSignInAt: string }
  csrfToken: string
}

describe('POST /api/auth/link', () => {
  const { call, newAccount, clock, operatorKey, db, connection } = harness({
    MERLON_PUBLIC_URL: 'https://merlon.test/',
  })
  const tokenOf = (url: string) => url.split('#token=')[1] ?? ''
  const redeem = (token: unknown) => call<SignedIn>('POST', '/api/auth/link', { body: { token } })

  describe('200', () => {
    it('signs the person in with a cookie for TLS alone', async () => {
      const { signInUrl, userId } = await newAccount()
      expect(signInUrl).toMatch(/^https:\/\/merlon\.test\/signin#token=[\w-]{43}$/)
      const reply = await redeem(tokenOf(signInUrl))
      expect(reply.status).toBe(200)
      expect(reply.data.user).toMatchObject({
        id: userId,
        lastSignInAt: new Date(clock.now()).toISOString(),
      })
      expect(reply.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict; .*; Secure$/)
      expect(reply.headers['strict-transport-security']).toContain('max-age=')
    })

    it('works until a day has passed', async () => {
      const { signInUrl } = await newAccount()
      clock.advance({ hours: 24, ms: -1 })
      expect((await redeem(tokenOf(signInUrl))).status).toBe(200)
    })
  })

  describe('400', () => {
    it.each([undefined, '', 7, 'x'.repeat(201)])('refuses the token %j', async (token) => {
      const reply = await redeem(token)
      expect(reply.status).toBe(400)
      expect(reply.error).toMatch(/^token /)
    })
  })

  describe('401', () => {
    it('works once', async () => {
      const { signInUrl } = await newAccount()
      await redeem(tokenOf(signInUrl))
      const again = await redeem(tokenOf(signInUrl))
      expect(again.status).toBe(401)
      expect(again.error).toContain('used already or has run out')
      expect(again.headers['set-cookie']).toBeUndefined()
    })

    it('works once also for two at the same time', async () => {
      const { signInUrl, userId } = await newAccount()
      const token = tokenOf(signInUrl)
      const replies = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from sign_in_links where user_id = '${userId}' for update`,
          start: () => [redeem(token), redeem(token)],
          waiting: 2,
        },
      )
      expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 401]))
    })

    it('refuses a link after a day', async () => {
      const { signInUrl } = await newAccount()
      clock.advance({ hours: 24 })
      expect((await redeem(tokenOf(signInUrl))).status).toBe(401)
    })

    it('refuses a token that was never given', async () => {
      expect((await redeem('x'.repeat(43))).status).toBe(401)
    })

    it('refuses the link of a person who was removed', async () => {
      const { key } = await newAccount()
      const body = { email: `gone-${clock.now()}@example.test` }
      const made = await call<{ id: string; signInLink: { url: string } }>('POST', '/api/users', {
        as: key,
        body,
      })
      await call('DELETE', `/api/users/${made.data.id}`, { as: key })
      expect((await redeem(tokenOf(made.data.signInLink.url))).status).toBe(401)
    })
  })

  describe('403', () => {
    it('refuses a suspended account and leaves the link for later', async () => {
      const { id, signInUrl } = await newAccount()
      const setStatus = (status: string) =>
        call('PATCH', `/api/accounts/${id}`, { as: operatorKey, body: { status } })
      await setStatus('suspended')
      expect((await redeem(tokenOf(signInUrl))).status).toBe(403)
      await setStatus('active')
      expect((await redeem(tokenOf(signInUrl))).status).toBe(200)
    })
  })
})
