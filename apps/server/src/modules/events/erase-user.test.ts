import { beforeAll, describe, expect, it } from 'vitest'
import { counted, event, ingest, stored } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/events/erase', () => {
  const house = harness()
  const { call, newAccount, newApp } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const erase = (body: unknown) =>
    call<{ erased: number }>('POST', '/api/events/erase', { as: key, body })
  const login = (userId: string) => event({ type: 'auth.login', userId, ip: '1.1.1.1' })
  const statesOf = async (appId: string): Promise<string> =>
    JSON.stringify(
      await house
        .db()
        .selectFrom('detection_state')
        .select(['kind', 'key', 'state'])
        .where('app_id', '=', appId)
        .execute(),
    )

  describe('200', () => {
    it('removes every event of the user, of any age, and no other', async () => {
      const app = await newApp(key)
      const old = new Date(house.clock.now() - 40 * 86_400_000).toISOString()
      await ingest(house, app.apiKey, [
        event({ userId: 'ann' }),
        event({ userId: 'ann', timestamp: old }),
        event({ userId: 'bob' }),
        event(),
      ])
      const reply = await erase({ appId: app.id, userId: 'ann' })
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual({ erased: 2 })
      const left = await stored(house, key, app.id)
      expect(new Set(left.map(({ userId }) => userId))).toEqual(new Set(['bob', null]))
    })

    it("leaves another app's user of the same name alone", async () => {
      const [app, other] = [await newApp(key), await newApp(key)]
      for (const { apiKey } of [app, other]) await ingest(house, apiKey, event({ userId: 'ann' }))
      await erase({ appId: app.id, userId: 'ann' })
      expect(await stored(house, key, other.id)).toHaveLength(1)
    })

    it('removes what detectors remember of the user, and keeps what they know of others', async () => {
      const app = await newApp(key)
      await ingest(house, app.apiKey, [login('ann-x'), login('bob-x')])
      await house.settle()
      expect(await statesOf(app.id)).toContain('ann-x')
      await erase({ appId: app.id, userId: 'ann-x' })
      const states = await statesOf(app.id)
      expect(states).not.toContain('ann-x')
      expect(states).toContain('bob-x')
    })

    it('leaves nothing of the user although detectors are at work meanwhile', async () => {
      const app = await newApp(key)
      for (let round = 0; round < 5; round++) {
        await ingest(house, app.apiKey, Array(50).fill(login('ann-y')))
        await erase({ appId: app.id, userId: 'ann-y' })
        await house.settle()
        expect(await statesOf(app.id)).not.toContain('ann-y')
        expect(await stored(house, key, app.id, '&userId=ann-y')).toEqual([])
      }
    })

    it('keeps the counts: they name nobody', async () => {
      const app = await newApp(key)
      await ingest(house, app.apiKey, event({ userId: 'ann' }))
      await erase({ appId: app.id, userId: 'ann' })
      expect((await counted(house, key, app.id)).totalEvents).toBe(1)
    })

    it('erases none of a user whom nobody knows', async () => {
      const app = await newApp(key)
      expect((await erase({ appId: app.id, userId: 'nobody' })).data).toEqual({ erased: 0 })
    })

    it('is on record with how much was erased, but not of whom', async () => {
      const app = await newApp(key)
      await ingest(house, app.apiKey, event({ userId: 'secret-ann' }))
      await erase({ appId: app.id, userId: 'secret-ann' })
      const { raw } = await call('GET', '/api/audit', { as: key })
      expect(raw.body).toContain('events.erase')
      expect(raw.body).toContain('"erased":1')
      expect(raw.body).not.toContain('secret-ann')
    })
  })

  describe('400', () => {
    it.each([{}, { userId: '' }, { userId: 5 }, { userId: 'a', all: true }])(
      'refuses %j',
      async (fields) => {
        const app = await newApp(key)
        expect((await erase({ appId: app.id, ...fields })).status).toBe(400)
      },
    )
  })

  describe('403', () => {
    it("refuses another account's app", async () => {
      const other = await newApp((await newAccount()).key)
      expect((await erase({ appId: other.id, userId: 'a' })).status).toBe(403)
    })
  })

  describe('404', () => {
    it('knows no such app', async () => {
      const appId = 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV'
      expect((await erase({ appId, userId: 'a' })).status).toBe(404)
    })
  })
})
