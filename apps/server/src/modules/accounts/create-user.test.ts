import type { User } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

type Made = User & { signInLink: { url: string; expiresAt: string } }

describe('POST /api/users', () => {
  const { call, newAccount, signIn, clock } = harness()
  let account: Awaited<ReturnType<typeof newAccount>>
  beforeAll(async () => {
    account = await newAccount()
  })
  const create = (body: unknown, as = account.key) => call<Made>('POST', '/api/users', { as, body })

  describe('201', () => {
    it('answers the person and a link for their first sign-in', async () => {
      const reply = await create({ email: 'Ada@example.test', name: 'Ada' })
      expect(reply.status).toBe(201)
      const { id, signInLink, ...rest } = reply.data
      expect(rest).toEqual({
        email: 'Ada@example.test',
        name: 'Ada',
        hasPassword: false,
        lastSignInAt: null,
        createdAt: new Date(clock.now()).toISOString(),
      })
      expect(signInLink.expiresAt).toBe(new Date(clock.now() + 86_400_000).toISOString())
      const { headers } = await signIn(signInLink.url)
      const me = await call<{ user: User; account: { id: string } }>('GET', '/api/auth/me', {
        headers,
      })
      expect(me.data).toMatchObject({ user: { id }, account: { id: account.id } })
    })

    it('needs no name', async () => {
      expect((await create({ email: 'nameless@example.test' })).data.name).toBeNull()
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{}, 'email is required.'],
      [{ email: 'nobody' }, 'email must be an e-mail address.'],
      [{ email: 'a b@example.test' }, 'email must be an e-mail address.'],
      [{ email: 'a@b@c' }, 'email must be an e-mail address.'],
      [{ email: `${'a'.repeat(250)}@b.cd` }, 'email must have at most 254 characters.'],
      [{ email: 'a@b.cd', name: '' }, 'name must not be empty.'],
      [{ email: 'a@b.cd', role: 'admin' }, 'role is not a known field.'],
      [{ email: 'a@b.cd', password: 'x' }, 'password is not a known field.'],
    ])('refuses %j', async (body, sentence) => {
      const reply = await create(body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })
  })

  describe('409', () => {
    it('refuses an e-mail that is taken, in whatever case', async () => {
      await create({ email: 'taken@example.test' })
      const reply = await create({ email: 'TAKEN@Example.Test' })
      expect(reply.status).toBe(409)
      expect(reply.error).toContain('e-mail')
    })

    it('refuses an e-mail that is taken in another account', async () => {
      const other = await newAccount()
      expect((await create({ email: other.email })).status).toBe(409)
    })
  })
})
