import { keyKindOf } from '@merlon/base'
import type { Account, User } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

type Made = Account & { apiKey: string; user: User; signInLink: { url: string } }

describe('POST /api/accounts', () => {
  const { call, newAccount, signIn, operatorKey, clock } = harness()
  const create = (body: unknown, as = operatorKey) =>
    call<Made>('POST', '/api/accounts', { as, body })

  describe('201', () => {
    it('answers the account with its first key, person and sign-in link, all of which work', async () => {
      const reply = await create({ name: 'Acme', email: 'boss@acme.test' })
      expect(reply.status).toBe(201)
      const { id, apiKey, user, signInLink, ...rest } = reply.data
      expect(rest).toEqual({
        name: 'Acme',
        role: 'customer',
        status: 'active',
        createdAt: new Date(clock.now()).toISOString(),
      })
      expect(keyKindOf(apiKey)).toBe('account')
      expect(user).toMatchObject({ email: 'boss@acme.test', hasPassword: false })
      const { headers } = await signIn(signInLink.url)
      const me = { account: { id } }
      expect((await call('GET', '/api/auth/me', { headers })).data).toMatchObject(me)
      expect((await call('GET', '/api/auth/me', { as: apiKey })).data).toMatchObject(me)
    })

    it('takes a password for the first person', async () => {
      const body = { name: 'Acme', email: 'pass@acme.test', password: 'a long enough one' }
      expect((await create(body)).data.user.hasPassword).toBe(true)
      const { email, password } = body
      const login = await call('POST', '/api/auth/login', { body: { email, password } })
      expect(login.status).toBe(200)
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ email: 'a@b.cd' }, 'name is required.'],
      [{ name: 'x', email: 'nope' }, 'email must be an e-mail address.'],
      [
        { name: 'x', email: 'a@b.cd', password: 'short' },
        'password must have at least 12 characters.',
      ],
      [{ name: 'x', email: 'a@b.cd', role: 'operator' }, 'role is not a known field.'],
    ])('refuses %j', async (body, sentence) => {
      const reply = await create(body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })
  })

  describe('403', () => {
    it('refuses a customer', async () => {
      const { key } = await newAccount()
      expect((await create({ name: 'x', email: 'x@y.z' }, key)).status).toBe(403)
    })
  })

  describe('409', () => {
    it('refuses an e-mail that is taken, and leaves no half of an account', async () => {
      const { email } = await newAccount()
      const before = await call('GET', '/api/accounts', { as: operatorKey })
      const reply = await create({ name: 'Twin', email: email.toUpperCase() })
      expect(reply.status).toBe(409)
      expect((await call('GET', '/api/accounts', { as: operatorKey })).meta).toEqual(before.meta)
    })
  })
})
