import { keyKindOf } from '@merlon/base'
import type { App } from '@merlon/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteExpiredAppKeys } from './apps.repo.ts'
import { openAppKeyDoor, type AppKeyDoor } from '../../../testing/app-key-door.ts'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

interface Rotated {
  apiKey: string
  oldKeyExpiresAt: string
}

describe('POST /api/apps/:id/rotate-key', () => {
  const house = harness()
  const { call, newAccount, newApp, clock, db, connection } = house
  let key: string
  let door: AppKeyDoor
  beforeAll(async () => {
    key = (await newAccount()).key
    door = await openAppKeyDoor(house)
  })
  afterAll(() => door.close())
  const rotate = (id: string, query = '') =>
    call<Rotated>('POST', `/api/apps/${id}/rotate-key${query}`, { as: key })
  const opens = async (apiKey: string) => (await door.status(apiKey)) === 204
  const inHours = (hours: number) => new Date(clock.now() + hours * 3_600_000).toISOString()

  describe('200', () => {
    it('answers a new key, which the app shows from then on', async () => {
      const app = await newApp(key)
      const reply = await rotate(app.id)
      expect(reply.status).toBe(200)
      expect(keyKindOf(reply.data.apiKey)).toBe('app')
      expect(reply.data.apiKey).not.toBe(app.apiKey)
      expect(reply.data.oldKeyExpiresAt).toBe(inHours(24))
      const shown = await call<App>('GET', `/api/apps/${app.id}`, { as: key })
      expect(shown.data.apiKey).toBe(reply.data.apiKey)
    })

    it('lets the old key work for a day and no longer', async () => {
      const app = await newApp(key)
      const { data } = await rotate(app.id)
      clock.advance({ hours: 24, ms: -1 })
      expect(await opens(app.apiKey)).toBe(true)
      clock.advance({ ms: 1 })
      expect(await opens(app.apiKey)).toBe(false)
      expect(await opens(data.apiKey)).toBe(true)
    })

    it('takes the hours of grace from the query', async () => {
      const app = await newApp(key)
      expect((await rotate(app.id, '?graceHours=0.5')).data.oldKeyExpiresAt).toBe(inHours(0.5))
    })

    it('ends the old key at once with graceHours=0', async () => {
      const app = await newApp(key)
      expect(await opens(app.apiKey)).toBe(true)
      await rotate(app.id, '?graceHours=0')
      await expect.poll(() => opens(app.apiKey), { timeout: 1_000, interval: 5 }).toBe(false)
    })

    it('gives a key in an earlier grace period no longer life', async () => {
      const app = await newApp(key)
      const second = await rotate(app.id, '?graceHours=1')
      const third = await rotate(app.id, '?graceHours=48')
      clock.advance({ hours: 1 })
      expect(await opens(app.apiKey)).toBe(false)
      expect(await opens(second.data.apiKey)).toBe(true)
      clock.advance({ hours: 47 })
      expect(await opens(second.data.apiKey)).toBe(false)
      expect(await opens(third.data.apiKey)).toBe(true)
    })

    it('ends every earlier key at once with graceHours=0', async () => {
      const app = await newApp(key)
      await rotate(app.id, '?graceHours=48')
      await rotate(app.id, '?graceHours=0')
      await expect.poll(() => opens(app.apiKey), { timeout: 1_000, interval: 5 }).toBe(false)
    })

    it('leaves one lasting key when two rotate at once', async () => {
      const app = await newApp(key)
      const replies = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from app_keys where app_id = '${app.id}' for update`,
          start: () => [rotate(app.id), rotate(app.id)],
          waiting: 2,
        },
      )
      clock.advance({ hours: 24 })
      const shown = await call<App>('GET', `/api/apps/${app.id}`, { as: key })
      const working: string[] = []
      for (const { data } of replies) if (await opens(data.apiKey)) working.push(data.apiKey)
      expect(working).toEqual([shown.data.apiKey])
    })

    it('forgets keys whose time has run out', async () => {
      const app = await newApp(key)
      await rotate(app.id)
      clock.advance({ hours: 25 })
      await deleteExpiredAppKeys(db(), clock.now())
      const left = await db()
        .selectFrom('app_keys')
        .select('expires_at')
        .where('app_id', '=', app.id)
        .execute()
      expect(left).toEqual([{ expires_at: null }])
    })
  })

  describe('400', () => {
    it.each(['-1', '721', 'soon', 'Infinity', '1&graceHours=2', ''])(
      'refuses graceHours=%s',
      async (hours) => {
        const app = await newApp(key)
        const reply = await rotate(app.id, `?graceHours=${hours}`)
        expect(reply.status).toBe(400)
        expect(reply.error).toMatch(/^graceHours must be /)
      },
    )
  })

  describe('403', () => {
    it('rotates no key of another account', async () => {
      const stranger = await newAccount()
      const app = await newApp(stranger.key)
      expect((await rotate(app.id)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await rotate('app_01M7EGPXZ6ANEYWH20MFNTW72G')).status).toBe(404)
    })

    it('says so of an app that is deleted while the call is on its way', async () => {
      const { id } = await newApp(key)
      const [reply] = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from apps where id = '${id}' for update`,
          start: () => [rotate(id)],
          waiting: 1,
          meanwhile: `delete from apps where id = '${id}'`,
        },
      )
      expect(reply?.status).toBe(404)
    })
  })
})
