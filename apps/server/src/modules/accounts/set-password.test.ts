import { beforeEach, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

const FIRST = 'the first password'
const SECOND = 'the second password'

describe('POST /api/auth/password', () => {
  const { call, newAccount, signIn, clock } = harness({ MERLON_LIMIT_LOGIN: '6' })
  beforeEach(() => clock.advance({ minutes: 1 }))
  const set = (headers: Record<string, string>, body: unknown) =>
    call<{ changed: boolean }>('POST', '/api/auth/password', { headers, body })
  const login = (email: string, password: string) =>
    call('POST', '/api/auth/login', { body: { email, password } })

  describe('200', () => {
    it('sets the first password without asking for one', async () => {
      const { signInUrl, email } = await newAccount()
      const { headers } = await signIn(signInUrl)
      const reply = await set(headers, { newPassword: FIRST })
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual({ changed: true })
      expect((await login(email, FIRST)).status).toBe(200)
    })

    it('changes a password, and the old one works no more', async () => {
      const { signInUrl, email } = await newAccount()
      const { headers } = await signIn(signInUrl)
      await set(headers, { newPassword: FIRST })
      const reply = await set(headers, { currentPassword: FIRST, newPassword: SECOND })
      expect(reply.status).toBe(200)
      expect((await login(email, FIRST)).status).toBe(401)
      expect((await login(email, SECOND)).status).toBe(200)
    })

    it('ends every other session of the person and keeps this one', async () => {
      const { key, userId, signInUrl } = await newAccount()
      const link = await call<{ url: string }>('POST', `/api/users/${userId}/sign-in-link`, {
        as: key,
      })
      const [here, elsewhere] = [await signIn(signInUrl), await signIn(link.data.url)]
      const stranger = await signIn((await newAccount()).signInUrl)
      const statusOf = async (headers: Record<string, string>) =>
        (await call('GET', '/api/auth/me', { headers })).status
      expect(await statusOf(elsewhere.headers)).toBe(200)
      await set(here.headers, { newPassword: FIRST })
      expect(await statusOf(here.headers)).toBe(200)
      expect(await statusOf(elsewhere.headers)).toBe(401)
      expect(await statusOf(stranger.headers)).toBe(200)
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ newPassword: 'elevenchars' }, 'newPassword must have at least 12 characters.'],
      [{ newPassword: 'x'.repeat(201) }, 'newPassword must have at most 200 characters.'],
      [{}, 'newPassword is required.'],
      [{ newPassword: FIRST, oldPassword: 'x' }, 'oldPassword is not a known field.'],
    ])('refuses %j', async (body, sentence) => {
      const { headers } = await signIn((await newAccount()).signInUrl)
      const reply = await set(headers, body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })

    it('asks for the current password where there is one', async () => {
      const { headers } = await signIn((await newAccount()).signInUrl)
      await set(headers, { newPassword: FIRST })
      const reply = await set(headers, { newPassword: SECOND })
      expect(reply.status).toBe(400)
      expect(reply.error).toBe('currentPassword is required to change a password.')
    })
  })

  describe('401', () => {
    it('refuses an API key: a key has no password', async () => {
      const { key } = await newAccount()
      const reply = await call('POST', '/api/auth/password', {
        as: key,
        body: { newPassword: FIRST },
      })
      expect(reply.status).toBe(401)
    })
  })

  describe('403', () => {
    it('refuses a wrong current password', async () => {
      const { signInUrl, email } = await newAccount()
      const { headers } = await signIn(signInUrl)
      await set(headers, { newPassword: FIRST })
      const reply = await set(headers, { currentPassword: 'a wrong one', newPassword: SECOND })
      expect(reply.status).toBe(403)
      expect(reply.error).toBe('currentPassword is wrong.')
      expect((await login(email, FIRST)).status).toBe(200)
    })
  })

  describe('429', () => {
    it('does not let a stolen session try passwords without end', async () => {
      const { headers } = await signIn((await newAccount()).signInUrl)
      await set(headers, { newPassword: FIRST })
      const wrong = { currentPassword: 'a wrong one', newPassword: SECOND }
      for (let i = 0; i < 6; i++) expect((await set(headers, wrong)).status).toBe(403)
      const refused = await set(headers, { currentPassword: FIRST, newPassword: SECOND })
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBe('10')
      clock.advance({ seconds: 10 })
      expect((await set(headers, { currentPassword: FIRST, newPassword: SECOND })).status).toBe(200)
    })
  })
})
