import { beforeAll, describe, expect, it } from 'vitest'
import type { SecurityEvent } from '@merlon/contract'
import { event, ingest, stored } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/events/export', () => {
  const house = harness()
  const { call, clock, newAccount, newApp } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const exported = (appId: string, query = 'userId=ann') =>
    call('GET', `/api/events/export?appId=${appId}&${query}`, { as: key })
  const linesOf = (body: string): SecurityEvent[] =>
    body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as SecurityEvent)

  describe('200', () => {
    it('answers every event of the user as one line each, oldest first', async () => {
      const app = await newApp(key)
      const at = (hours: number) => new Date(clock.now() - hours * 3_600_000).toISOString()
      await ingest(house, app.apiKey, [
        event({ userId: 'ann', title: 'late', timestamp: at(1), payload: { text: 'a\nb' } }),
        event({ userId: 'ann', title: 'early', timestamp: at(900) }),
        event({ userId: 'bob', title: 'other' }),
      ])
      const reply = await exported(app.id)
      expect(reply.status).toBe(200)
      expect(reply.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
      expect(reply.headers['content-disposition']).toContain('attachment')
      const lines = linesOf(reply.raw.body)
      expect(lines.map(({ title }) => title)).toEqual(['early', 'late'])
      expect(lines.toReversed()).toEqual(await stored(house, key, app.id, '&userId=ann'))
    })

    it('has no gap and no repeat over many pages of equal times', async () => {
      const app = await newApp(key)
      const body = Array.from({ length: 1_000 }, (_, i) => event({ userId: 'ann', title: `${i}` }))
      await ingest(house, app.apiKey, body)
      await ingest(house, app.apiKey, body.slice(0, 203))
      const lines = linesOf((await exported(app.id)).raw.body)
      expect(lines).toHaveLength(1_203)
      expect(new Set(lines.map(({ id }) => id)).size).toBe(1_203)
    })

    it('is empty for a user whom nobody knows', async () => {
      const app = await newApp(key)
      expect((await exported(app.id)).raw.body).toBe('')
    })

    it('shows masked fields masked', async () => {
      const app = await newApp(key)
      await ingest(house, app.apiKey, event({ userId: 'ann', payload: { email: 'a@b.c' } }))
      expect((await exported(app.id)).raw.body).not.toContain('a@b.c')
    })
  })

  describe('400', () => {
    it.each(['', 'userId=', `userId=${'x'.repeat(257)}`])(
      'refuses the query %.20j',
      async (query) => {
        const app = await newApp(key)
        expect((await exported(app.id, query)).status).toBe(400)
      },
    )
  })

  describe('403', () => {
    it("refuses another account's app", async () => {
      const other = await newApp((await newAccount()).key)
      expect((await exported(other.id)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('knows no such app', async () => {
      expect((await exported('app_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404)
    })
  })
})
