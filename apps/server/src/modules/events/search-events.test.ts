import { beforeAll, describe, expect, it } from 'vitest'
import type { SecurityEvent } from '@merlon/contract'
import { event, ingest } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/events', () => {
  const house = harness()
  const { call, clock, newAccount, newApp } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const search = (appId: string, query: Record<string, string | number> = {}) =>
    call<SecurityEvent[]>(
      'GET',
      `/api/events?${new URLSearchParams({ appId, ...(query as Record<string, string>) })}`,
      { as: key },
    )
  const titles = async (appId: string, query: Record<string, string | number> = {}) =>
    (await search(appId, query)).data.map((found) => found.title)
  /** Every page behind one another, with something done in between. */
  const pages = async (
    appId: string,
    query: Record<string, string | number>,
    between: () => Promise<unknown> = async () => undefined,
  ) => {
    const found: SecurityEvent[][] = []
    let cursor: unknown
    do {
      const reply = await search(appId, {
        ...query,
        ...(typeof cursor === 'string' ? { cursor } : {}),
      })
      expect(reply.status).toBe(200)
      found.push(reply.data)
      cursor = reply.meta['nextCursor']
      await between()
    } while (cursor !== null && found.length < 100)
    return found
  }
  const at = (minutesAgo: number): string =>
    new Date(clock.now() - minutesAgo * 60_000).toISOString()

  describe('200', () => {
    let appId = ''
    beforeAll(async () => {
      const app = await newApp(key)
      appId = app.id
      await ingest(house, app.apiKey, [
        event({ title: 'a', type: 'x.one', module: 'm1', ip: '1.1.1.1', timestamp: at(1) }),
        event({ title: 'b', type: 'x.two', module: 'm1', userId: 'u1', timestamp: at(2) }),
        event({ title: 'c', type: 'x.one', module: 'm2', severity: 'LOW', timestamp: at(3) }),
        event({ title: 'd', type: 'x.one', module: 'm2', userId: 'u1', timestamp: at(4) }),
        event({ title: 'e', type: 'x.two', ip: '1.1.1.1', severity: 'LOW', timestamp: at(5) }),
      ])
      const other = await newApp(key)
      await ingest(house, other.apiKey, event({ title: 'theirs', type: 'x.one' }))
    })

    it('lists the newest first and nothing of another app', async () => {
      const reply = await search(appId)
      expect(reply.data.map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(reply.meta).toEqual({ limit: 50, nextCursor: null })
    })

    it.each([
      [{ type: 'x.one' }, ['a', 'c', 'd']],
      [{ module: 'm1' }, ['a', 'b']],
      [{ severity: 'LOW' }, ['c', 'e']],
      [{ ip: '1.1.1.1' }, ['a', 'e']],
      [{ userId: 'u1' }, ['b', 'd']],
      [{ type: 'x.one', module: 'm2' }, ['c', 'd']],
      [{ type: 'x.one', userId: 'u1' }, ['d']],
      [{ type: 'x.two', ip: '1.1.1.1', severity: 'LOW' }, ['e']],
      [{ type: 'x.one', module: 'm1', severity: 'LOW' }, []],
      [{ type: 'X.ONE' }, []],
      [{ type: 'x.%' }, []],
      [{ limit: 2 }, ['a', 'b']],
    ])('finds by %j', async (query, expected) => {
      expect(await titles(appId, query as Record<string, string>)).toEqual(expected)
    })

    it('takes from and to as times that belong to what is looked for', async () => {
      const found = await titles(appId, { from: at(4), to: at(2) })
      expect(found).toEqual(['b', 'c', 'd'])
      expect(await titles(appId, { from: at(4), to: at(2), type: 'x.one' })).toEqual(['c', 'd'])
      expect(await titles(appId, { from: at(2), to: at(4) })).toEqual([])
    })

    it('ignores parameters that it does not know', async () => {
      expect((await search(appId, { colour: 'red' })).status).toBe(200)
    })

    it('finds a text in title, description and payload, in capitals or not', async () => {
      const app = await newApp(key)
      await ingest(house, app.apiKey, [
        event({ title: 'Needle one', timestamp: at(1) }),
        event({ title: 'b', description: 'a nEEdle too', timestamp: at(2) }),
        event({ title: 'c', payload: { deep: [{ text: 'the NEEDLE' }] }, timestamp: at(3) }),
        event({ title: 'd', payload: { needle: 1 }, timestamp: at(4) }),
        event({ title: 'e', timestamp: at(5) }),
      ])
      expect(await titles(app.id, { q: 'needle' })).toEqual(['Needle one', 'b', 'c', 'd'])
      expect(await titles(app.id, { q: 'NEEDLE', type: 'request.blocked' })).toHaveLength(4)
      expect(await titles(app.id, { q: 'needle', severity: 'LOW' })).toEqual([])
    })

    it.each(['100%', 'a_b', "o'brien", 'say "hi"', 'C:\\temp', 'Ärger', '日本', 'two\nlines'])(
      'finds %j as it stands, in the title and in the payload',
      async (text) => {
        const app = await newApp(key)
        await ingest(house, app.apiKey, [
          event({ title: `x ${text} y`, timestamp: at(1) }),
          event({ title: 'in the payload', payload: { text: `x ${text} y` }, timestamp: at(2) }),
          event({ title: '100 aXb obrien say hi Ctemp', timestamp: at(3) }),
        ])
        expect(await titles(app.id, { q: text })).toEqual([`x ${text} y`, 'in the payload'])
      },
    )

    it('pages through equal times without gap or repeat', async () => {
      const app = await newApp(key)
      const all = Array.from({ length: 25 }, (_, i) => `n${i}`)
      await ingest(
        house,
        app.apiKey,
        all.map((title) => event({ title, timestamp: at(10) })),
      )
      const found = await pages(app.id, { limit: 4 })
      expect(found.map((page) => page.length)).toEqual([4, 4, 4, 4, 4, 4, 1])
      expect(found.flat().map(({ title }) => title)).toEqual(all.toReversed())
    })

    it('pages without gap or repeat while new events arrive', async () => {
      const app = await newApp(key)
      const all = Array.from({ length: 12 }, (_, i) => `n${i}`)
      const body = all.map((title, i) => event({ title, timestamp: at(30 - i) }))
      await ingest(house, app.apiKey, body)
      const found = await pages(app.id, { limit: 5, type: 'request.blocked' }, () =>
        ingest(house, app.apiKey, event({ title: 'new' })),
      )
      expect(found.flat().map(({ title }) => title)).toEqual(all.toReversed())
    })

    it('says that there is no next page when the last one is just full', async () => {
      expect((await search(appId, { limit: 5 })).meta['nextCursor']).toBeNull()
      expect((await search(appId, { limit: 4 })).meta['nextCursor']).not.toBeNull()
    })

    it('looks at a bounded number of events at a time and goes on by the cursor', async () => {
      const app = await newApp(key)
      for (let round = 0; round < 7; round++) {
        const body = Array.from({ length: 1_000 }, (_, i) =>
          event({
            title: i % 500 === 0 ? `needle ${round}-${i}` : 'hay',
            timestamp: new Date(clock.now() - round * 1_000 - i).toISOString(),
          }),
        )
        await ingest(house, app.apiKey, body)
      }
      const found = await pages(app.id, { q: 'needle', limit: 50 })
      expect(found.length).toBe(3)
      expect(new Set(found.flat().map(({ title }) => title)).size).toBe(14)
      expect(found.flat()).toHaveLength(14)
    })
  })

  describe('400', () => {
    it.each([
      'cursor=x',
      'cursor=1.',
      'cursor=.evt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'cursor=1.evt_x',
      'cursor=1.app_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'cursor=1.evt_01ARZ3NDEKTSV4RRFFQ69G5FAV.1',
      'cursor=-1.evt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'cursor=1e9.evt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'cursor=',
      'severity=high',
      'from=yesterday',
      'to=2026-13-01T00:00:00Z',
      'limit=0',
      'limit=101',
      'limit=ten',
      'q=',
      `q=${'x'.repeat(201)}`,
      'type=a%00b',
    ])('refuses %s', async (query) => {
      const app = await newApp(key)
      const reply = await call('GET', `/api/events?appId=${app.id}&${query}`, { as: key })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(query.split('=')[0])
    })

    it('needs to know the app', async () => {
      expect((await call('GET', '/api/events', { as: key })).status).toBe(400)
    })
  })

  describe('403', () => {
    it("refuses another account's app", async () => {
      const other = await newApp((await newAccount()).key)
      expect((await search(other.id)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('knows no such app', async () => {
      expect((await search('app_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404)
    })
  })
})
