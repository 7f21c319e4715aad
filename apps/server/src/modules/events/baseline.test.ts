import { beforeAll, describe, expect, it } from 'vitest'
import type { Baseline } from '@merlon/contract'
import { counted, event, ingest, stored } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describe('POST /api/apps/:id/baseline', () => {
  const house = harness()
  const { call, clock, newAccount, newApp } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const ask = (appId: string, body?: unknown) =>
    call<Baseline & { thresholds: { enforced: boolean; requestsPer5Minutes: number | null } }>(
      'POST',
      `/api/apps/${appId}/baseline`,
      { as: key, ...(body === undefined ? {} : { body }) },
    )
  const aggregate = (minute: number, requests: number) =>
    event({
      type: 'traffic.aggregate',
      module: 'monitor',
      severity: 'INFO',
      title: 'traffic',
      payload: {
        minute: new Date(minute).toISOString(),
        distinctIps: 10,
        perIpP995: 8,
        routes: [
          {
            route: 'GET /',
            requests,
            errors4xx: 1,
            errors5xx: 0,
            authFailures: 0,
            distinctIps: 10,
            bytesIn: 100 * requests,
            bytesOut: 900 * requests,
            perIpMax: 9,
          },
        ],
      },
    })
  /** Minutes of steady traffic through the door, with the clock where the last one ends. */
  const live = async (apiKey: string, minutes: number, requests = 100): Promise<void> => {
    const start = Math.floor(clock.now() / MINUTE) * MINUTE
    clock.advance({ minutes })
    for (let done = 0; done < minutes; done += 1_000) {
      const body = Array.from({ length: Math.min(1_000, minutes - done) }, (_, i) =>
        aggregate(start + (done + i) * MINUTE, requests + (((done + i) * 7) % 11)),
      )
      expect((await ingest(house, apiKey, body)).status).toBe(201)
    }
    await house.settle()
  }

  describe('200', () => {
    it('has learned nothing of an app without traffic', async () => {
      const app = await newApp(key)
      const reply = await ask(app.id)
      expect(reply.status).toBe(200)
      expect(reply.data).toMatchObject({
        status: 'learning',
        learningStartedAt: null,
        learningEndsAt: null,
        progress: 0,
        samples: 0,
        profile: [],
        thresholds: { enforced: false, requestsPer5Minutes: null, routes: [] },
      })
    })

    it('learns for seven days, then sets limits, reports an excursion once, and starts anew', async () => {
      const app = await newApp(key)
      await live(app.apiKey, 24 * 60)
      const learning = (await ask(app.id, { action: 'get' })).data
      expect(learning.status).toBe('learning')
      expect(learning.progress).toBeCloseTo(1 / 7, 2)
      expect(learning.samples).toBeGreaterThan(200)
      expect(learning.thresholds.enforced).toBe(false)
      const [starts, ends] = [learning.learningStartedAt, learning.learningEndsAt].map((text) =>
        Date.parse(text ?? ''),
      )
      expect((ends ?? 0) - (starts ?? 0)).toBe(7 * DAY)

      await live(app.apiKey, 6 * 24 * 60 + 60)
      const active = (await ask(app.id)).data
      expect(active).toMatchObject({
        status: 'active',
        progress: 1,
        thresholds: { enforced: true },
      })
      expect(active.thresholds.requestsPer5Minutes).toBeGreaterThan(500)
      expect(active.thresholds.requestsPer5Minutes).toBeLessThan(3_000)
      expect(active.profile).toMatchObject([{ route: '*' }, { route: 'GET /' }])
      expect(await stored(house, key, app.id)).toEqual([])

      await live(app.apiKey, 60, 20_000)
      const found = await stored(house, key, app.id)
      const surges = found.filter(({ type }) => type.startsWith('anomaly.'))
      expect(surges.length).toBeGreaterThan(0)
      expect(new Set(surges.map(({ type, title }) => `${type} ${title}`)).size).toBe(surges.length)
      expect(surges[0]?.description).not.toBe('')
      expect(surges[0]?.payload).toMatchObject({
        reasons: expect.arrayContaining([expect.any(String)]),
      })
      expect((await counted(house, key, app.id)).totalEvents).toBe(found.length)

      const reset = await ask(app.id, { action: 'reset' })
      expect(reset.data).toMatchObject({ status: 'learning', samples: 0, profile: [] })
      expect((await ask(app.id)).data.status).toBe('learning')
      await live(app.apiKey, 30)
      expect((await ask(app.id)).data).toMatchObject({ status: 'learning' })
    })

    it('stays reset although detectors were at work meanwhile', async () => {
      const app = await newApp(key)
      await live(app.apiKey, 600)
      const start = Math.floor(clock.now() / MINUTE) * MINUTE
      clock.advance({ minutes: 30 })
      const body = Array.from({ length: 30 }, (_, i) => aggregate(start + i * MINUTE, 100))
      const [, reset] = await Promise.all([
        ingest(house, app.apiKey, body),
        ask(app.id, { action: 'reset' }),
      ])
      expect(reset.status).toBe(200)
      await house.settle()
      expect((await ask(app.id)).data.samples).toBeLessThan(10)
    })

    it('is on record when it is reset, and not when it is read', async () => {
      const app = await newApp(key)
      const entries = async () =>
        (
          await call<{ action: string; target: string }[]>('GET', '/api/audit', { as: key })
        ).data.filter(({ action, target }) => action === 'app.baseline' && target === app.id)
      await ask(app.id)
      await ask(app.id, { action: 'get' })
      expect(await entries()).toHaveLength(0)
      await ask(app.id, { action: 'reset' })
      expect(await entries()).toHaveLength(1)
    })
  })

  describe('400', () => {
    it.each([{ action: 'forget' }, { action: 5 }, { actoin: 'reset' }])(
      'refuses %j',
      async (body) => {
        const app = await newApp(key)
        expect((await ask(app.id, body)).status).toBe(400)
      },
    )
  })

  describe('403', () => {
    it("refuses another account's app", async () => {
      const other = await newApp((await newAccount()).key)
      expect((await ask(other.id)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('knows no such app', async () => {
      expect((await ask('app_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404)
    })
  })
})
