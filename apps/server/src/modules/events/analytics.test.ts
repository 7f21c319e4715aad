import { beforeAll, describe, expect, it } from 'vitest'
import type { Analytics } from '@merlon/contract'
import { counted, event, ingest } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'
import { recount } from '../../../testing/recount.ts'

const HOUR = 3_600_000
const DAY = 86_400_000

describe('GET /api/events/analytics', () => {
  const house = harness()
  const { call, clock, newAccount } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const newApp = () => house.newApp(key)
  const count = (appId: string, window = '24h') => counted(house, key, appId, window)
  const iso = (ms: number): string => new Date(ms).toISOString()
  const pointAt = (analytics: Analytics, ms: number) =>
    analytics.trend.find(({ label }) => label === iso(ms))

  describe('200', () => {
    it.each([
      ['24h', 24, HOUR],
      ['7d', 7, DAY],
      ['30d', 30, DAY],
    ])('has for %s %i points, oldest first, the empty ones included', async (window, n, step) => {
      const app = await newApp()
      const found = await count(app.id, window)
      const last = Math.floor(clock.now() / step) * step
      const labels = Array.from({ length: n }, (_, i) => iso(last - (n - 1 - i) * step))
      expect(found).toEqual({
        window,
        totalEvents: 0,
        trend: labels.map((label) => ({ label, total: 0, blocked: 0, critical: 0 })),
        moduleBreakdown: [],
        attackTypes: [],
        severityBreakdown: [],
        topCountries: [],
      })
    })

    it('takes 24h when no window is given', async () => {
      const app = await newApp()
      const { data } = await call<Analytics>('GET', `/api/events/analytics?appId=${app.id}`, {
        as: key,
      })
      expect(data.window).toBe('24h')
    })

    it('counts as blocked what ends in .blocked, and critical by severity', async () => {
      const app = await newApp()
      await ingest(house, app.apiKey, [
        event({ type: 'request.blocked', severity: 'CRITICAL' }),
        event({ type: 'bot.blocked' }),
        event({ type: 'blocked' }),
        event({ type: 'request.blocked.not', severity: 'CRITICAL' }),
      ])
      expect((await count(app.id)).trend.at(-1)).toMatchObject({
        total: 4,
        blocked: 2,
        critical: 2,
      })
    })

    it("names an attack by the sender's word, else by the type of a shield event", async () => {
      const app = await newApp()
      await ingest(house, app.apiKey, [
        event({ payload: { attackType: 'sqli' } }),
        event({ module: 'monitor', payload: { attackType: 'sqli' } }),
        event({ type: 'bot.blocked' }),
        event({ module: 'monitor', type: 'auth.login' }),
        event({ payload: { attackType: '' } }),
        event({ payload: { attackType: 5 } }),
      ])
      expect((await count(app.id)).attackTypes).toEqual([
        { type: 'request.blocked', count: 2 },
        { type: 'sqli', count: 2 },
        { type: 'bot.blocked', count: 1 },
      ])
    })

    it('keeps an attack name whose cut goes through the middle of a character', async () => {
      const app = await newApp()
      const attackType = `${'x'.repeat(99)}😀`
      expect((await ingest(house, app.apiKey, event({ payload: { attackType } }))).status).toBe(201)
      expect((await count(app.id)).attackTypes[0]?.type).toBe(`${'x'.repeat(99)}\ufffd`)
    })

    it('lists the ten most frequent attacks and countries, all modules, and severities by weight', async () => {
      const app = await newApp()
      const body = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((i) => {
        house.geo.place(`9.9.9.${i}`, { country: `C${String(i).padStart(2, '0')}` })
        const payload = { attackType: `t${i}` }
        return Array.from({ length: i }, () =>
          event({ module: `m${i}`, ip: `9.9.9.${i}`, payload, severity: i > 6 ? 'INFO' : 'HIGH' }),
        )
      })
      await ingest(house, app.apiKey, body)
      const found = await count(app.id)
      const top = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
      expect(found.attackTypes).toEqual(top.map((i) => ({ type: `t${i}`, count: i })))
      expect(found.topCountries.map((one) => one.count)).toEqual(top)
      expect(found.moduleBreakdown).toHaveLength(12)
      expect(found.severityBreakdown).toEqual([
        { severity: 'HIGH', count: 21 },
        { severity: 'INFO', count: 57 },
      ])
    })

    it('puts an event on the border of an hour and of a day where it belongs', async () => {
      const app = await newApp()
      const hour = Math.floor(clock.now() / HOUR) * HOUR
      const day = Math.floor(clock.now() / DAY) * DAY
      const times = [hour - 1, hour, hour - 23 * HOUR, hour - 23 * HOUR - 1, day - 1, day]
      await ingest(
        house,
        app.apiKey,
        times.map((ms) => event({ timestamp: iso(ms) })),
      )
      const expected = await recount(house.db(), app.id, clock.now())
      for (const settled of [false, true]) {
        if (settled) await house.settle()
        const [hours, days] = [await count(app.id), await count(app.id, '7d')]
        expect(hours.trend).toEqual(expected.hours)
        expect(pointAt(hours, hour)?.total).toBeGreaterThanOrEqual(1)
        expect(days.trend).toEqual(expected.days.slice(-7))
      }
    })

    it('is exact at once, the same once folded, and equal to a recount', async () => {
      const app = await newApp()
      const types = ['request.blocked', 'auth.login', 'bot.blocked', 'x']
      const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']
      let sent = 0
      const make = () => {
        const i = sent++
        return event({
          type: types[i % 4],
          severity: severities[i % 5],
          module: i % 3 === 0 ? 'shield' : 'monitor',
          timestamp: iso(clock.now() - ((i * 7_919 * 1_000) % (29 * DAY))),
          ...(i % 7 === 0 ? { payload: { attackType: `a${i % 5}` } } : {}),
        })
      }
      for (const size of [1, 30, 300, 1, 1]) {
        await ingest(house, app.apiKey, Array.from({ length: size }, make))
      }
      const before = await Promise.all(['24h', '7d', '30d'].map((window) => count(app.id, window)))
      await house.settle()
      const after = await Promise.all(['24h', '7d', '30d'].map((window) => count(app.id, window)))
      expect(after).toEqual(before)
      const expected = await recount(house.db(), app.id, clock.now())
      expect(before.map(({ trend }) => trend)).toEqual([
        expected.hours,
        expected.days.slice(-7),
        expected.days,
      ])
      expect(before[2]?.totalEvents).toBe(expected.total)
      expect(before[2]?.moduleBreakdown).toEqual(expected.modules)
      await ingest(house, app.apiKey, event())
      expect((await count(app.id, '30d')).totalEvents).toBe(expected.total + 1)
    })

    it('stays exact while events come in and are folded', async () => {
      const app = await newApp()
      let sent = 0
      const looks: Promise<void>[] = []
      for (let round = 0; round < 20; round++) {
        await ingest(house, app.apiKey, Array(5).fill(event()))
        sent += 5
        const least = sent
        looks.push(
          count(app.id).then((found) => expect(found.totalEvents).toBeGreaterThanOrEqual(least)),
        )
        if (round % 4 === 0) looks.push(house.settle())
      }
      await Promise.all(looks)
      await house.settle()
      expect((await count(app.id)).totalEvents).toBe(100)
    })

    it('keeps a bounded number of rows for a thousand invented types, with exact totals', async () => {
      const app = await newApp()
      const invented = Array.from({ length: 900 }, (_, i) => event({ type: `made.up.${i}` }))
      const real = Array.from({ length: 100 }, () => event({ type: 'zz.blocked' }))
      await ingest(house, app.apiKey, [...invented, ...real])
      const before = await count(app.id)
      await house.settle()
      const found = await count(app.id)
      expect(found.totalEvents).toBe(1_000)
      expect(found.trend).toEqual(before.trend)
      expect(found.severityBreakdown).toEqual(before.severityBreakdown)
      // What is frequent is kept apart, whatever its name.
      expect(found.attackTypes[0]).toEqual({ type: 'zz.blocked', count: 100 })
      const rows = await house
        .db()
        .selectFrom('rollup_day')
        .select(({ fn }) => fn.sum<string>('n').as('n'))
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('app_id', '=', app.id)
        .where('dimension', '=', 'type')
        .executeTakeFirstOrThrow()
      expect(Number(rows.n)).toBe(1_000)
      expect(Number(rows.rows)).toBeLessThanOrEqual(201)
    })

    it('leaves nothing of a deleted app behind, also of what was not folded yet', async () => {
      const app = await newApp()
      await ingest(house, app.apiKey, event())
      await house.settle()
      await ingest(house, app.apiKey, event())
      await call('DELETE', `/api/apps/${app.id}`, { as: key })
      await house.settle()
      const left = await house
        .db()
        .selectFrom('rollup_day')
        .select('n')
        .where('app_id', '=', app.id)
        .execute()
      expect(left).toEqual([])
    })
  })

  describe('400', () => {
    it.each(['1h', '24H', ''])('refuses the window %j', async (window) => {
      const app = await newApp()
      const url = `/api/events/analytics?appId=${app.id}&window=${window}`
      const reply = await call('GET', url, { as: key })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('24h')
    })
  })

  describe('403', () => {
    it("refuses another account's app", async () => {
      const other = await house.newApp((await newAccount()).key)
      const url = `/api/events/analytics?appId=${other.id}`
      expect((await call('GET', url, { as: key })).status).toBe(403)
    })
  })

  describe('404', () => {
    it('knows no such app', async () => {
      const url = '/api/events/analytics?appId=app_01ARZ3NDEKTSV4RRFFQ69G5FAV'
      expect((await call('GET', url, { as: key })).status).toBe(404)
    })
  })
})
