import { beforeAll, describe, expect, it } from 'vitest'
import type { SecurityEvent } from '@merlon/contract'
import { counted, event, ingest, stored } from '../../../../testing/events.ts'
import { harness } from '../../../../testing/harness.ts'
import { detectOnce } from './detector.ts'

const TOKYO = { country: 'JP', city: 'Tokyo', latitude: 35.7, longitude: 139.7, asn: 2516 }
const BERLIN = { country: 'DE', city: 'Berlin', latitude: 52.5, longitude: 13.4, asn: 3320 }
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1'

describe('the detections', () => {
  const house = harness()
  const { call, clock, newAccount } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
    house.geo.place('133.1.1.1', TOKYO)
    house.geo.place('91.1.1.1', BERLIN)
  })
  const newApp = () => house.newApp(key)
  const sighting = (type: string, userId: string | null, ip: string, more = {}) =>
    event({ type, module: 'monitor', severity: 'INFO', userId, ip, ...more })
  const login = (userId: string, ip: string, more = {}) => sighting('auth.login', userId, ip, more)
  const found = async (appId: string): Promise<SecurityEvent[]> => {
    await house.settle()
    return (await stored(house, key, appId)).filter(
      ({ type }) => !/^auth\.(login|failed)$|^page\./.test(type),
    )
  }
  const detect = () =>
    detectOnce({
      pool: house.app().services.events.pool,
      geo: house.geo,
      now: () => clock.now(),
      onFound: () => undefined,
      onUnjudged: (error) => {
        throw error
      },
    })
  const rowsOf = async (table: 'detection_state' | 'detection_inbox', appId: string) =>
    house.db().selectFrom(table).selectAll().where('app_id', '=', appId).execute()

  it('find one user in two places that no plane connects in time, and say why', async () => {
    const app = await newApp()
    await ingest(house, app.apiKey, login('ann', '133.1.1.1'))
    clock.advance({ minutes: 30 })
    await ingest(house, app.apiKey, login('ann', '91.1.1.1'))
    const [travel, ...others] = await found(app.id)
    expect(others).toEqual([])
    expect(travel).toMatchObject({
      type: 'auth.impossible_travel',
      module: 'monitor',
      userId: 'ann',
      ip: '91.1.1.1',
      country: 'DE',
    })
    const payload = travel?.payload as { km: number; reasons: string[] }
    expect(payload.km).toBeGreaterThan(8_000)
    expect(payload.reasons.length).toBeGreaterThan(0)
    expect(travel?.description).toBe(payload.reasons.join(' '))
  })

  it('need no more than the countries', async () => {
    const app = await newApp()
    house.geo.place('133.2.2.2', { country: 'JP' })
    house.geo.place('91.2.2.2', { country: 'DE' })
    await ingest(house, app.apiKey, [login('ann', '133.2.2.2'), login('ann', '91.2.2.2')])
    expect((await found(app.id)).map(({ type }) => type)).toEqual(['auth.impossible_travel'])
  })

  it('lower the severity for a new user and name that as a reason, but are not silent', async () => {
    const app = await newApp()
    for (let day = 0; day < 10; day++) {
      await ingest(house, app.apiKey, login('known', '133.1.1.1'))
      clock.advance({ days: 1 })
    }
    await ingest(house, app.apiKey, [login('known', '133.1.1.1'), login('new', '133.1.1.1')])
    clock.advance({ minutes: 20 })
    await ingest(house, app.apiKey, [login('known', '91.1.1.1'), login('new', '91.1.1.1')])
    const travels = (await found(app.id)).filter(({ type }) => type === 'auth.impossible_travel')
    const of = (userId: string) => travels.find((one) => one.userId === userId)
    const weight = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']
    expect(travels).toHaveLength(2)
    expect(weight.indexOf(of('new')?.severity ?? '')).toBeLessThan(
      weight.indexOf(of('known')?.severity ?? ''),
    )
    expect(of('new')?.description).toMatch(/Lowered: the user is new/)
  })

  it('find nothing where a user stays, or flies slowly enough', async () => {
    const app = await newApp()
    await ingest(house, app.apiKey, login('ann', '133.1.1.1'))
    clock.advance({ minutes: 5 })
    await ingest(house, app.apiKey, login('ann', '133.1.1.1'))
    clock.advance({ days: 2 })
    await ingest(house, app.apiKey, login('ann', '91.1.1.1'))
    expect((await found(app.id)).map(({ type }) => type)).not.toContain('auth.impossible_travel')
  })

  it('do not mix users or apps up', async () => {
    const [a, b] = [await newApp(), await newApp()]
    await ingest(house, a.apiKey, [login('ann', '133.1.1.1'), login('bob', '91.1.1.1')])
    await ingest(house, b.apiKey, login('ann', '91.1.1.1'))
    expect([...(await found(a.id)), ...(await found(b.id))]).toEqual([])
  })

  it('find one session that goes on in another client', async () => {
    const app = await newApp()
    const page = (userAgent: string, ip: string) =>
      sighting('page.view', 'ann', ip, { payload: { sessionId: 's1', userAgent } })
    await ingest(house, app.apiKey, [page(CHROME, '133.1.1.1'), page(CHROME, '133.1.1.1')])
    clock.advance({ minutes: 1 })
    await ingest(house, app.apiKey, [page(SAFARI, '91.1.1.1'), page(SAFARI, '91.1.1.1')])
    const changes = await found(app.id)
    expect(changes.map(({ type }) => type)).toEqual(['session.fingerprint_changed'])
    expect(changes[0]?.description).not.toBe('')
  })

  it('find many failed sign-ins of one user, once', async () => {
    const app = await newApp()
    const body = Array.from({ length: 25 }, () => sighting('auth.failed', 'ann', '133.1.1.1'))
    await ingest(house, app.apiKey, body)
    const forced = (await found(app.id)).filter(({ type }) => type === 'auth.brute_force')
    expect(forced).toHaveLength(1)
    expect(forced[0]).toMatchObject({ userId: 'ann' })
  })

  it('find one address that fails as many users, once', async () => {
    const app = await newApp()
    const body = Array.from({ length: 25 }, (_, i) => sighting('auth.failed', `u${i}`, '91.1.1.1'))
    await ingest(house, app.apiKey, body)
    const stuffed = await found(app.id)
    expect(stuffed.map(({ type }) => type)).toEqual(['auth.credential_stuffing'])
    expect(stuffed[0]).toMatchObject({ ip: '91.1.1.1', userId: null })
  })

  it('are counted like any event', async () => {
    const app = await newApp()
    await ingest(house, app.apiKey, [login('ann', '133.1.1.1'), login('ann', '91.1.1.1')])
    await house.settle()
    const analytics = await counted(house, key, app.id)
    expect(analytics.totalEvents).toBe(3)
    expect(analytics.moduleBreakdown).toEqual([{ module: 'monitor', count: 3 }])
  })

  it('keep going behind texts whose cut goes through the middle of a character', async () => {
    const app = await newApp()
    const userAgent = `${'x'.repeat(499)}😀`
    const body = [
      login('ann', '133.1.1.1', { payload: { userAgent } }),
      login('ann', '91.1.1.1', { payload: { userAgent } }),
    ]
    expect((await ingest(house, app.apiKey, body)).status).toBe(201)
    expect(await found(app.id)).toHaveLength(1)
  })

  it('are made exactly once although the first tries fail in the middle', async () => {
    const app = await newApp()
    await house.settle()
    const { pool } = house.app().services.events
    await pool.query(`create function refuse_travel() returns trigger language plpgsql as
      $$ begin if new.type = 'auth.impossible_travel' then raise 'crash'; end if; return new; end $$`)
    await pool.query(`create trigger refuse before insert on events
      for each row execute function refuse_travel()`)
    try {
      await ingest(house, app.apiKey, [login('ann', '133.1.1.1'), login('ann', '91.1.1.1')])
      for (let attempt = 0; attempt < 3; attempt++) await detect().catch(() => 0)
      expect(await rowsOf('detection_inbox', app.id)).toHaveLength(2)
      expect(await rowsOf('detection_state', app.id)).toEqual([])
    } finally {
      await pool.query('drop trigger refuse on events')
      await pool.query('drop function refuse_travel')
    }
    expect(await found(app.id)).toHaveLength(1)
  })

  it('are made exactly once when many detectors look at the same time', async () => {
    const app = await newApp()
    const users = Array.from({ length: 30 }, (_, i) => `u${i}`)
    for (const ip of ['133.1.1.1', '91.1.1.1']) {
      const all = ingest(
        house,
        app.apiKey,
        users.map((user) => login(user, ip)),
      )
      await Promise.all([all, detect(), detect(), detect(), detect()])
      clock.advance({ minutes: 1 })
    }
    await Promise.all([detect(), detect(), detect()])
    const travels = (await found(app.id)).filter(({ type }) => type === 'auth.impossible_travel')
    expect(travels.map(({ userId }) => userId ?? '').toSorted()).toEqual(users.toSorted())
  })

  it('leave an entry out that nobody can judge, and go on with the next', async () => {
    const app = await newApp()
    const entry = { kind: 'sighting', type: 'auth.login', at: 1, userId: 'eve', ip: '1.1.1.1' }
    const state = { app_id: app.id, kind: 'travel', key: 'bob', state: '"of another version"' }
    await house
      .db()
      .insertInto('detection_state')
      .values({ ...state, updated_at: new Date() })
      .execute()
    await house
      .db()
      .insertInto('detection_inbox')
      .values({ app_id: app.id, event: JSON.stringify({ ...entry, place: null }) })
      .execute()
    await ingest(house, app.apiKey, [
      login('bob', '133.1.1.1'),
      login('ann', '133.1.1.1'),
      login('ann', '91.1.1.1'),
    ])
    expect((await found(app.id)).map(({ userId }) => userId)).toEqual(['ann'])
    expect(await rowsOf('detection_inbox', app.id)).toEqual([])
  })

  it('leave no state of an app that was deleted before they looked', async () => {
    const app = await newApp()
    await ingest(house, app.apiKey, login('ann', '133.1.1.1'))
    await house.settle()
    await ingest(house, app.apiKey, login('ann', '91.1.1.1'))
    await call('DELETE', `/api/apps/${app.id}`, { as: key })
    await house
      .db()
      .insertInto('detection_inbox')
      .values({
        app_id: app.id,
        event: JSON.stringify({
          kind: 'sighting',
          type: 'auth.login',
          at: clock.now(),
          userId: 'ann',
          ip: '91.1.1.1',
          place: BERLIN,
        }),
      })
      .execute()
    await house.settle()
    expect(await rowsOf('detection_state', app.id)).toEqual([])
    expect(await rowsOf('detection_inbox', app.id)).toEqual([])
  })

  it('leave no state of an app that is deleted while they look', async () => {
    for (let round = 0; round < 5; round++) {
      const app = await newApp()
      await ingest(house, app.apiKey, Array(20).fill(login('ann', '133.1.1.1')))
      await Promise.all([detect(), call('DELETE', `/api/apps/${app.id}`, { as: key }), detect()])
      await house.settle()
      expect(await rowsOf('detection_state', app.id)).toEqual([])
    }
  })
})
