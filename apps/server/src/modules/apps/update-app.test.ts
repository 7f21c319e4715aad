import type { App } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

describe('PATCH /api/apps/:id', () => {
  const { call, newAccount, newApp, clock, db, connection } = harness()
  let key: string
  let app: App
  const update = (body: unknown, id = app.id) =>
    call<App>('PATCH', `/api/apps/${id}`, { as: key, body })

  beforeAll(async () => {
    key = (await newAccount()).key
    app = await newApp(key)
  })

  describe('200', () => {
    it('changes what is named, keeps the rest and notes the time', async () => {
      clock.advance({ minutes: 1 })
      const reply = await update({ githubRepo: 'acme/shop', githubInstallationId: 42 })
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual({
        ...app,
        githubRepo: 'acme/shop',
        githubInstallationId: 42,
        updatedAt: new Date(clock.now()).toISOString(),
      })
      const renamed = await update({ name: 'Store' })
      expect(renamed.data).toEqual({ ...reply.data, name: 'Store' })
      expect((await call<App>('GET', `/api/apps/${app.id}`, { as: key })).data).toEqual(
        renamed.data,
      )
    })

    it('clears an optional field with null', async () => {
      await update({ githubRepo: 'acme/shop', githubInstallationId: 42 })
      expect((await update({ githubRepo: null })).data).toMatchObject({
        githubRepo: null,
        githubInstallationId: 42,
      })
      expect((await update({ githubInstallationId: null })).data.githubInstallationId).toBeNull()
    })

    it('keeps everything when nothing is named', async () => {
      const before = await call<App>('GET', `/api/apps/${app.id}`, { as: key })
      expect((await update({})).data.name).toBe(before.data.name)
    })

    it('keeps the largest installation id exactly', async () => {
      const reply = await update({ githubInstallationId: Number.MAX_SAFE_INTEGER })
      expect(reply.data.githubInstallationId).toBe(Number.MAX_SAFE_INTEGER)
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ name: null }, 'name must be a string.'],
      [{ name: 'n'.repeat(101) }, 'name must have at most 100 characters.'],
      [{ githubRepo: 'nope' }, 'githubRepo must have the form owner/repo.'],
      [{ githubInstallationId: 0 }, 'githubInstallationId must be at least 1.'],
      [{ githubInstallationId: 1.5 }, 'githubInstallationId must be a whole number or null.'],
      [{ githubInstallationId: '42' }, 'githubInstallationId must be a whole number or null.'],
      [{ githubInstallationId: 2 ** 60 }, 'githubInstallationId must be at most 9007199254740991.'],
      [{ plan: 'pro' }, 'plan is not a known field.'],
      [{ settings: {} }, 'settings is not a known field.'],
      [{ securityScore: 100 }, 'securityScore is not a known field.'],
    ])('refuses %j and says why', async (body, sentence) => {
      const reply = await update(body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })

    it('looks at the input before it looks for the app', async () => {
      expect((await update({ nmae: 'x' }, 'app_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(400)
    })
  })

  describe('403', () => {
    it('changes no app of another account', async () => {
      const stranger = await newAccount()
      const reply = await call('PATCH', `/api/apps/${app.id}`, {
        as: stranger.key,
        body: { name: 'Taken' },
      })
      expect(reply.status).toBe(403)
      expect((await call<App>('GET', `/api/apps/${app.id}`, { as: key })).data.name).not.toBe(
        'Taken',
      )
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      const reply = await update({ name: 'x' }, 'app_01M7EGPXZ6ANEYWH20MFNTW72G')
      expect(reply.status).toBe(404)
      expect(reply.error).toBe('App app_01M7EGPXZ6ANEYWH20MFNTW72G does not exist.')
    })

    it('says so of an app that is deleted while the change is on its way', async () => {
      const doomed = await newApp(key, 'Doomed')
      const [reply] = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from apps where id = '${doomed.id}' for update`,
          start: () => [update({ name: 'Late' }, doomed.id)],
          waiting: 1,
          meanwhile: `delete from apps where id = '${doomed.id}'`,
        },
      )
      expect(reply?.status).toBe(404)
    })
  })
})
