import { defaultAppSettings, type App, type AppSettings } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

describe('PATCH /api/apps/:id/settings', () => {
  const { call, newAccount, newApp, db, connection } = harness()
  let key: string
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const update = (id: string, body: unknown, as = key) =>
    call<AppSettings>('PATCH', `/api/apps/${id}/settings`, { as, body })
  const settingsOf = async (id: string) =>
    (await call<App>('GET', `/api/apps/${id}`, { as: key })).data.settings

  describe('200', () => {
    it('answers the whole settings and keeps sections and keys that are not named', async () => {
      const { id } = await newApp(key)
      const reply = await update(id, { shield: { mode: 'strict' } })
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual({
        ...defaultAppSettings,
        shield: { mode: 'strict', botDetection: true },
      })
      expect(await settingsOf(id)).toEqual(reply.data)
    })

    it('takes every section at once', async () => {
      const { id } = await newApp(key)
      const all: AppSettings = {
        scanner: { blockOnCritical: false, blockOnHigh: true, scanOnPush: false },
        shield: { mode: 'off', botDetection: false },
        vault: { sensitiveFields: ['iban'], keyRotationDays: 1 },
        monitor: { eventRetentionDays: 3650 },
      }
      expect((await update(id, all)).data).toEqual(all)
    })

    it('replaces a list whole, also by an empty one', async () => {
      const { id } = await newApp(key)
      const reply = await update(id, { vault: { sensitiveFields: [] } })
      expect(reply.data.vault).toEqual({ sensitiveFields: [], keyRotationDays: 90 })
    })

    it.each([{}, { shield: {} }])('keeps everything for %j', async (body) => {
      const { id } = await newApp(key)
      expect((await update(id, body)).data).toEqual(defaultAppSettings)
    })

    it('keeps both of two changes that are made at once', async () => {
      const { id } = await newApp(key)
      const replies = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from apps where id = '${id}' for update`,
          start: () => [
            update(id, { shield: { mode: 'strict' } }),
            update(id, { monitor: { eventRetentionDays: 7 } }),
          ],
          waiting: 2,
        },
      )
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
      expect(await settingsOf(id)).toMatchObject({
        shield: { mode: 'strict' },
        monitor: { eventRetentionDays: 7 },
      })
    })

    it('leaves other apps alone', async () => {
      const [one, other] = [await newApp(key), await newApp(key)]
      await update(one.id, { shield: { mode: 'off' } })
      expect(await settingsOf(other.id)).toEqual(defaultAppSettings)
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ scanner: { blockOnCritcal: true } }, 'scanner.blockOnCritcal is not a known field.'],
      [{ sheild: {} }, 'sheild is not a known field.'],
      [{ scanner: { blockOnHigh: 'yes' } }, 'scanner.blockOnHigh must be true or false.'],
      [{ scanner: { blockOnHigh: null } }, 'scanner.blockOnHigh must be true or false.'],
      [{ shield: { mode: 'loud' } }, 'shield.mode must be one of off, permissive, strict.'],
      [{ shield: null }, 'shield must be a JSON object.'],
      [{ shield: [] }, 'shield must be a JSON object.'],
      [{ vault: { keyRotationDays: 0 } }, 'vault.keyRotationDays must be at least 1.'],
      [{ vault: { keyRotationDays: 3651 } }, 'vault.keyRotationDays must be at most 3650.'],
      [{ vault: { keyRotationDays: 1.5 } }, 'vault.keyRotationDays must be a whole number.'],
      [{ monitor: { eventRetentionDays: 0 } }, 'monitor.eventRetentionDays must be at least 1.'],
      [
        { monitor: { eventRetentionDays: 3651 } },
        'monitor.eventRetentionDays must be at most 3650.',
      ],
      [
        { monitor: { eventRetentionDays: '90' } },
        'monitor.eventRetentionDays must be a whole number.',
      ],
      [{ vault: { sensitiveFields: 'email' } }, 'vault.sensitiveFields must be a list.'],
      [{ vault: { sensitiveFields: [''] } }, 'vault.sensitiveFields.0 must not be empty.'],
      [
        { vault: { sensitiveFields: ['email', 'email'] } },
        'vault.sensitiveFields must not name the same value twice.',
      ],
    ])('refuses %j and says why', async (body, sentence) => {
      const { id } = await newApp(key)
      const reply = await update(id, body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
      expect(await settingsOf(id)).toEqual(defaultAppSettings)
    })
  })

  describe('403', () => {
    it('changes no app of another account', async () => {
      const { id } = await newApp(key)
      const stranger = await newAccount()
      expect((await update(id, { shield: { mode: 'off' } }, stranger.key)).status).toBe(403)
      expect(await settingsOf(id)).toEqual(defaultAppSettings)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await update('app_01M7EGPXZ6ANEYWH20MFNTW72G', {})).status).toBe(404)
    })

    it('says so of an app that is deleted while the change is on its way', async () => {
      const { id } = await newApp(key)
      const [reply] = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from apps where id = '${id}' for update`,
          start: () => [update(id, { shield: { mode: 'off' } })],
          waiting: 1,
          meanwhile: `delete from apps where id = '${id}'`,
        },
      )
      expect(reply?.status).toBe(404)
    })
  })
})
