import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

interface SignedIn {
  account: { id: string }
  user: { id: string; email: string; lastSignInAt: string }
  csrfToken: string
}

const PASSWORD = 'correct horse battery staple'

describe('POST /api/auth/login', () => {
  const { call, clock, operatorKey, server, db } = harness({ MERLON_LIMIT_LOGIN: '4' })
  let account: { id: string; user: { id: string } }
  const email = 'Grace@Example.test'

  beforeAll(async () => {
    const body = { name: 'Navy', email, password: PASSWORD }
    account = (await call<typeof account>('POST', '/api/accounts', { as: operatorKey, body })).data
  })
  // The limit of four a minute is for one test; the others each begin with a full minute.
  beforeEach(() => clock.advance({ minutes: 1 }))

  const login = (body: unknown) => call<SignedIn>('POST', '/api/auth/login', { body })
  const loginFrom = (remoteAddress: string, address: string) =>
    server().inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      payload: { email: address, password: 'wrong' },
    })

  describe('200', () => {
    it('answers who signed in and a session cookie that scripts and other sites cannot use', async () => {
      const reply = await login({ email, password: PASSWORD })
      expect(reply.status).toBe(200)
      expect(reply.data).toMatchObject({
        account: { id: account.id, role: 'customer' },
        user: { email, hasPassword: true, lastSignInAt: new Date(clock.now()).toISOString() },
      })
      expect(reply.headers['set-cookie']).toMatch(
        /^merlon_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
      )
    })

    it('opens a session that the API accepts wherever it accepts a key', async () => {
      const reply = await login({ email, password: PASSWORD })
      const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
      const headers = { cookie, 'x-csrf-token': reply.data.csrfToken }
      const created = await call('POST', '/api/apps', { headers, body: { name: 'Shop' } })
      expect(created.status).toBe(201)
      expect((await call('GET', '/api/apps', { headers: { cookie } })).meta).toEqual({ total: 1 })
    })

    it('does not mind the case of the e-mail', async () => {
      expect((await login({ email: 'gRACE@eXAMPLE.TEST', password: PASSWORD })).status).toBe(200)
    })

    it('finds a person whose e-mail has letters beyond ASCII', async () => {
      const body = { name: 'Ä', email: 'Ärzte@Example.test', password: PASSWORD }
      await call('POST', '/api/accounts', { as: operatorKey, body })
      const reply = await login({ email: body.email, password: PASSWORD })
      expect(reply.status).toBe(200)
    })

    it('stores neither the password nor the token', async () => {
      const reply = await login({ email, password: PASSWORD })
      const token = /=([\w-]{43});/.exec(String(reply.headers['set-cookie']))?.[1] ?? ''
      const sessions = await db().selectFrom('sessions').selectAll().execute()
      const users = await db().selectFrom('users').selectAll().execute()
      const stored = JSON.stringify([sessions, users])
      expect(stored).not.toContain(PASSWORD)
      expect(stored).not.toContain(token)
      expect(stored).toContain('scrypt$')
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ email }, 'password is required.'],
      [{ email, password: '' }, 'password must not be empty.'],
      [{ email, password: 'x'.repeat(201) }, 'password must have at most 200 characters.'],
      [{ email: ['a'], password: 'x' }, 'email must be a string.'],
      [{ email, password: 'x', remember: true }, 'remember is not a known field.'],
    ])('refuses %j', async (body, sentence) => {
      const reply = await login(body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })
  })

  describe('401', () => {
    it('says the same of a wrong password, an unknown e-mail and a person without password', async () => {
      const replies = [
        await login({ email, password: 'wrong' }),
        await login({ email: 'nobody@example.test', password: PASSWORD }),
        await login({ email: 'operator@localhost', password: PASSWORD }),
      ]
      for (const reply of replies) {
        expect(reply.status).toBe(401)
        expect(reply.error).toBe('The e-mail or the password is wrong.')
        expect(reply.headers['set-cookie']).toBeUndefined()
      }
    })

    it('is the answer to an expired session', async () => {
      const reply = await login({ email, password: PASSWORD })
      const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
      clock.advance({ hours: 12, ms: -1 })
      expect((await call('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(200)
      clock.advance({ ms: 1 })
      expect((await call('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(401)
    })
  })

  describe('403', () => {
    it('refuses a suspended account, but only to those who know the password', async () => {
      const setStatus = (status: string) =>
        call('PATCH', `/api/accounts/${account.id}`, { as: operatorKey, body: { status } })
      await setStatus('suspended')
      const right = await login({ email, password: PASSWORD })
      const wrong = await login({ email, password: 'wrong' })
      await setStatus('active')
      expect([right.status, right.error]).toEqual([403, 'This account is suspended.'])
      expect(wrong.status).toBe(401)
      expect((await login({ email, password: PASSWORD })).status).toBe(200)
    })
  })

  describe('429', () => {
    it('counts the sign-ins of one address', async () => {
      for (let i = 0; i < 4; i++) {
        expect((await loginFrom('192.0.2.1', `person-${i}@example.test`)).statusCode).toBe(401)
      }
      const refused = await loginFrom('192.0.2.1', 'person-5@example.test')
      expect(refused.statusCode).toBe(429)
      expect(refused.headers).toMatchObject({
        'retry-after': '15',
        'ratelimit-limit': '4',
        'ratelimit-remaining': '0',
      })
      expect((await loginFrom('192.0.2.2', 'person-5@example.test')).statusCode).toBe(401)
    })

    it('counts the sign-ins for one e-mail from many addresses, and lets time pass', async () => {
      for (let i = 0; i < 4; i++) {
        expect((await loginFrom(`192.0.2.1${i}`, 'Many@Example.test')).statusCode).toBe(401)
      }
      const refused = await loginFrom('192.0.2.20', 'many@example.test')
      expect(refused.statusCode).toBe(429)
      expect(refused.headers['retry-after']).toBe('15')
      clock.advance({ seconds: 15 })
      expect((await loginFrom('192.0.2.21', 'many@example.test')).statusCode).toBe(401)
    })

    it('keeps the right password out as well', async () => {
      for (let i = 0; i < 4; i++) await loginFrom(`192.0.2.3${i}`, email)
      expect((await login({ email, password: PASSWORD })).status).toBe(429)
    })
  })
})
