import { keyKindOf } from '@merlon/base'
import type { App } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/apps', () => {
  const { call, newAccount, clock, db, operatorKey } = harness()
  const create = (body: unknown, as = operatorKey) => call<App>('POST', '/api/apps', { as, body })

  describe('201', () => {
    it('answers the app as it starts, with a key of its own', async () => {
      const { status, data } = await create({ name: 'Shop', githubRepo: 'acme/shop' })
      expect(status).toBe(201)
      const { id, apiKey, settings, ...rest } = data
      const now = new Date(clock.now()).toISOString()
      expect(rest).toEqual({
        name: 'Shop',
        securityScore: 0,
        plan: 'free',
        status: 'active',
        githubRepo: 'acme/shop',
        githubInstallationId: null,
        createdAt: now,
        updatedAt: now,
      })
      expect(id).toMatch(/^app_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      expect(apiKey).toMatch(/^mlnapp_live_/)
      expect(keyKindOf(apiKey)).toBe('app')
      expect(settings).toEqual({
        scanner: { blockOnCritical: true, blockOnHigh: false, scanOnPush: true },
        shield: { mode: 'permissive', botDetection: true },
        vault: { sensitiveFields: ['email', 'phone', 'ssn'], keyRotationDays: 90 },
        monitor: { eventRetentionDays: 90 },
      })
    })

    it.each(['x', 'n'.repeat(100), '🏰'.repeat(100), 'Ünïcødé ☂'])(
      'takes the name %j',
      async (name) => {
        const reply = await create({ name })
        expect(reply.status).toBe(201)
        expect(reply.data.name).toBe(name)
      },
    )

    it('takes null for a repository that is not connected', async () => {
      const reply = await create({ name: 'Shop', githubRepo: null })
      expect(reply.data.githubRepo).toBeNull()
    })

    it('gives two apps of one name different ids and keys', async () => {
      const [first, second] = [await create({ name: 'Twin' }), await create({ name: 'Twin' })]
      expect(first.data.id).not.toBe(second.data.id)
      expect(first.data.apiKey).not.toBe(second.data.apiKey)
    })

    it("stands in the caller's account", async () => {
      const [owner, stranger] = [await newAccount(), await newAccount()]
      const { data } = await create({ name: 'Mine' }, owner.key)
      expect((await call('GET', `/api/apps/${data.id}`, { as: owner.key })).status).toBe(200)
      expect((await call('GET', `/api/apps/${data.id}`, { as: stranger.key })).status).toBe(403)
    })

    it('stores the key sealed and hashed, never as it is', async () => {
      const { data } = await create({ name: 'Vault' })
      const row = await db()
        .selectFrom('apps')
        .select('key_sealed')
        .where('id', '=', data.id)
        .executeTakeFirstOrThrow()
      expect(Buffer.from(row.key_sealed).toString('latin1')).not.toContain('mlnapp_live_')
      const keys = await db()
        .selectFrom('app_keys')
        .select('key_hash')
        .where('app_id', '=', data.id)
        .execute()
      expect(keys.map(({ key_hash }) => Buffer.from(key_hash).length)).toEqual([32])
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ name: 'n'.repeat(101) }, 'name must have at most 100 characters.'],
      [{ name: '🏰'.repeat(101) }, 'name must have at most 100 characters.'],
      [{ name: '' }, 'name must not be empty.'],
      [{ name: ' \t ' }, 'name must contain a visible character.'],
      [{}, 'name is required.'],
      [{ name: 7 }, 'name must be a string.'],
      [{ name: null }, 'name must be a string.'],
      [{ name: ['Shop'] }, 'name must be a string.'],
      [{ name: 'Shop', colour: 'red' }, 'colour is not a known field.'],
      [{ name: 'Shop', plan: 'enterprise' }, 'plan is not a known field.'],
      [{ name: 'Shop', githubRepo: 'shop' }, 'githubRepo must have the form owner/repo.'],
      [{ name: 'Shop', githubRepo: 'a/b/c' }, 'githubRepo must have the form owner/repo.'],
      [{ name: 'Shop', githubRepo: 'acme/sh op' }, 'githubRepo must have the form owner/repo.'],
      [{ name: 'Shop', githubRepo: true }, 'githubRepo must be a string or null.'],
      [[], 'The body must be a JSON object.'],
      ['"Shop"', 'The body must be a JSON object.'],
      ['{"name":', 'The body is not valid JSON.'],
      ['', 'The body must be a JSON object.'],
      ['{"name":"a\\u0000b"}', 'name contains a NUL or half a surrogate pair, which is not text.'],
      ['{"name":"\\ud83d"}', 'name contains a NUL or half a surrogate pair, which is not text.'],
      [
        '{"name":"Shop","__proto__":{"plan":"pro"}}',
        'The body must not contain the keys __proto__ or constructor.prototype.',
      ],
    ])('refuses %j and says why', async (body, sentence) => {
      const reply = await create(body)
      expect(reply.status).toBe(400)
      expect(reply.raw.json()).toEqual({ ok: false, error: sentence })
    })

    it('needs a body', async () => {
      const reply = await call('POST', '/api/apps', { as: operatorKey })
      expect(reply.status).toBe(400)
      expect(reply.error).toBe('The body must be a JSON object.')
    })
  })

  describe('413', () => {
    it('refuses a body of 2 MiB', async () => {
      const reply = await create({ name: 'n'.repeat(2 * 1024 * 1024) })
      expect(reply.status).toBe(413)
      expect(reply.error).toContain('1 MiB')
    })
  })

  describe('415', () => {
    it('refuses another media type than JSON', async () => {
      const reply = await call('POST', '/api/apps', {
        as: operatorKey,
        headers: { 'content-type': 'text/plain' },
        body: { name: 'Shop' },
      })
      expect(reply.status).toBe(415)
      expect(reply.error).toContain('application/json')
    })
  })
})
