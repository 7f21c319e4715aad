import type { Webhook } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('POST /api/webhooks', () => {
  const scene = webhookScene()
  const { create, call, clock, key, appId, receiver } = scene

  describe('201', () => {
    it('answers the webhook with a secret that nobody can guess', async () => {
      const reply = await create({ description: 'Alarms' })
      expect(reply.status).toBe(201)
      expect(reply.data).toEqual({
        id: expect.stringMatching(/^wh_/) as string,
        appId: appId(),
        url: receiver().url,
        events: ['*'],
        enabled: true,
        description: 'Alarms',
        consecutiveFailures: 0,
        lastSuccessAt: null,
        createdAt: new Date(clock.now()).toISOString(),
        secret: expect.stringMatching(/^whsec_[\w-]{43}$/) as string,
      })
    })

    it('takes a secret and types that are given', async () => {
      const reply = await create({ secret: 'sixteen letters!', events: ['auth.*', 'scan.done'] })
      expect(reply.data).toMatchObject({
        secret: 'sixteen letters!',
        events: ['auth.*', 'scan.done'],
      })
    })

    it('shows the secret this once', async () => {
      const { data } = await create()
      const list = await call<Webhook[]>('GET', `/api/webhooks?appId=${appId()}`, { as: key() })
      expect(list.raw.body).not.toContain(data.secret)
      const audit = await call('GET', '/api/audit?action=webhook.create', { as: key() })
      expect(audit.raw.body).toContain(data.id)
      expect(audit.raw.body).not.toContain(data.secret)
    })

    it('accepts an address on this machine where the operator allows it', async () => {
      expect((await create({ url: 'http://localhost:9/hook' })).status).toBe(201)
    })
  })

  describe('400', () => {
    it.each<[object, string]>([
      [{ url: 'ftp://example.test/' }, 'url'],
      [{ url: 'http://' }, 'url'],
      [{ url: 'https://user:pw@example.test/' }, 'url must not contain a user name or password.'],
      [{ events: [] }, 'events'],
      [{ events: ['has space'] }, 'events'],
      [{ events: ['a', 'a'] }, 'events'],
      [{ secret: 'too short' }, 'secret must have at least 16 characters.'],
      [{ description: '' }, 'description'],
      [{ enabled: false }, 'enabled is not a known field.'],
    ])('refuses %j and names what is wrong', async (body, sentence) => {
      const reply = await create(body)
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(sentence)
    })
  })

  describe('403', () => {
    it('makes none for an app of another account', async () => {
      const stranger = await scene.newAccount()
      const reply = await call('POST', '/api/webhooks', {
        as: stranger.key,
        body: { appId: appId(), url: receiver().url },
      })
      expect(reply.status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an app exists nowhere', async () => {
      const reply = await create({ appId: 'app_01M7EGPXZ6ANEYWH20MFNTW72G' })
      expect(reply.status).toBe(404)
      expect(reply.error).toBe('App app_01M7EGPXZ6ANEYWH20MFNTW72G does not exist.')
    })

    it('says so of an app that is deleted while the call is on its way', async () => {
      const [reply] = await atTheSameTime(
        { db: scene.db(), connection: scene.connection() },
        {
          lock: `select 1 from apps where id = '${appId()}' for update`,
          start: () => [create()],
          waiting: 1,
          meanwhile: `delete from apps where id = '${appId()}'`,
        },
      )
      expect(reply?.status).toBe(404)
    })
  })

  describe('409', () => {
    it('refuses the twenty-first, also when several come at once', async () => {
      for (let n = 0; n < 17; n++) expect((await create()).status).toBe(201)
      const replies = await Promise.all([create(), create(), create(), create(), create()])
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual([201, 201, 201, 409, 409])
      expect((await create()).error).toBe('An app has at most 20 webhooks; remove one first.')
    })
  })
})

describe('POST /api/webhooks where private addresses are refused', () => {
  const { call, newAccount, newApp } = harness({ MERLON_PENTEST_PRIVATE: 'refuse' })

  describe('400', () => {
    it.each([
      ['http://127.0.0.1/', '127.0.0.1 is loopback'],
      ['http://2130706433/', '127.0.0.1 is loopback'],
      ['http://[::ffff:10.0.0.1]/', 'is private'],
      ['http://localhost/', 'localhost is this machine'],
      ['https://169.254.169.254/latest', 'link-local'],
    ])('refuses %s', async (url, sentence) => {
      const { key } = await newAccount()
      const { id: appId } = await newApp(key)
      const reply = await call('POST', '/api/webhooks', { as: key, body: { appId, url } })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(sentence)
    })
  })
})
