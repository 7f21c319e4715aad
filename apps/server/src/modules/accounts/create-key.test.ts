import { keyKindOf } from '@merlon/base'
import type { ApiKey } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/keys', () => {
  const { call, newAccount, signIn, clock, db } = harness()
  let account: Awaited<ReturnType<typeof newAccount>>
  beforeAll(async () => {
    account = await newAccount()
  })
  const create = (body: unknown) =>
    call<ApiKey & { key: string }>('POST', '/api/keys', { as: account.key, body })
  const inMs = (ms: number) => new Date(clock.now() + ms).toISOString()

  describe('201', () => {
    it('answers the key once, with the first characters by which it is told apart', async () => {
      const reply = await create({ name: 'CI' })
      expect(reply.status).toBe(201)
      const { id, key, hint, ...rest } = reply.data
      expect(id).toMatch(/^key_/)
      expect(keyKindOf(key)).toBe('account')
      expect(hint).toBe(`${key.slice(0, 13)}…`)
      expect(rest).toEqual({
        name: 'CI',
        createdAt: inMs(0),
        lastUsedAt: null,
        expiresAt: null,
      })
    })

    it('works at once, for the account that made it', async () => {
      const { data } = await create({ name: 'CI' })
      const me = await call<{ account: { id: string } }>('GET', '/api/auth/me', { as: data.key })
      expect(me.data.account.id).toBe(account.id)
    })

    it('works until it expires and not a moment longer', async () => {
      const { data } = await create({ name: 'Brief', expiresAt: inMs(60_000) })
      expect(data.expiresAt).toBe(inMs(60_000))
      clock.advance({ ms: 59_999 })
      expect((await call('GET', '/api/keys', { as: data.key })).status).toBe(200)
      clock.advance({ ms: 1 })
      const reply = await call('GET', '/api/keys', { as: data.key })
      expect(reply.status).toBe(401)
      expect(reply.error).toBe('The API key is unknown, expired or revoked.')
    })

    it('takes a time in another zone', async () => {
      const local = new Date(clock.now() + 10 * 3_600_000).toISOString().replace('Z', '+02:00')
      const { data } = await create({ name: 'Zone', expiresAt: local })
      expect(data.expiresAt).toBe(inMs(8 * 3_600_000))
    })

    it('can be made in a session', async () => {
      const { headers } = await signIn((await newAccount()).signInUrl)
      expect((await call('POST', '/api/keys', { headers, body: { name: 'x' } })).status).toBe(201)
    })

    it('stores only a hash of the key', async () => {
      const { data } = await create({ name: 'Hashed' })
      const row = await db()
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', data.id)
        .executeTakeFirstOrThrow()
      const stored = [JSON.stringify(row), Buffer.from(row.key_hash).toString('latin1')].join()
      expect(stored).not.toContain(data.key)
      expect(stored).not.toContain(data.key.slice(15))
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{}, 'name is required.'],
      [{ name: '' }, 'name must not be empty.'],
      [{ name: 'n'.repeat(101) }, 'name must have at most 100 characters.'],
      [
        { name: 'x', expiresAt: 'tomorrow' },
        'expiresAt must be a date and time such as 2026-01-31T12:00:00Z.',
      ],
      [
        { name: 'x', expiresAt: '2026-02-30T12:00:00Z' },
        'expiresAt must be a date and time such as 2026-01-31T12:00:00Z.',
      ],
      [{ name: 'x', expiresAt: 1_900_000_000 }, 'expiresAt must be a string.'],
      [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must lie in the future.'],
      [{ name: 'x', key: 'mln_live_mine' }, 'key is not a known field.'],
    ])('refuses %j', async (body, sentence) => {
      const reply = await create(body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })

    it('refuses a key that expires this very moment', async () => {
      expect((await create({ name: 'x', expiresAt: inMs(0) })).status).toBe(400)
    })

    it.each(['9999-12-31T23:59:59-23:59', '2099-12-31T23:59:60Z', '2099-12-31T10:00:00+01'])(
      'answers the strange time %s with 201 or 400',
      async (expiresAt) => {
        expect([201, 400]).toContain((await create({ name: 'x', expiresAt })).status)
      },
    )
  })
})
