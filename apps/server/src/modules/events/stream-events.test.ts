import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openEventStream, type EventStream } from '../../../testing/event-stream.ts'
import { event, ingest } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'
import { openPort } from '../../../testing/raw-http.ts'

describe('GET /api/events/stream', () => {
  const house = harness()
  const { call, clock, newAccount, newApp } = house
  let key = ''
  let port = 0
  const open: EventStream[] = []
  beforeAll(async () => {
    key = (await newAccount()).key
    port = await openPort(house.server())
  })
  afterEach(() => open.splice(0).forEach((stream) => stream.close()))

  const tokenFor = async (appId: string): Promise<string> =>
    (
      await call<{ token: string }>('POST', '/api/events/stream-token', {
        as: key,
        body: { appId },
      })
    ).data.token
  const connect = async (
    appId: string,
    options: { token?: string; query?: string; headers?: Record<string, string> } = {},
  ): Promise<EventStream> => {
    const token = options.token ?? (await tokenFor(appId))
    const stream = await openEventStream(
      `http://127.0.0.1:${port}/api/events/stream?appId=${appId}&token=${token}${options.query ?? ''}`,
      options.headers,
    )
    open.push(stream)
    return stream
  }
  /** A stream that has been joined: an event has come through it. */
  const listen = async (app: { id: string; apiKey: string }): Promise<EventStream> => {
    const stream = await connect(app.id)
    await ingest(house, app.apiKey, event({ title: 'first' }))
    await stream.until(1)
    return stream
  }
  const send = async (apiKey: string, ...titles: string[]): Promise<void> => {
    for (const title of titles) await ingest(house, apiKey, event({ title }))
  }
  const numbered = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, i) => `n${from + i}`)

  describe('200', () => {
    it('says hello at once, with headers that no proxy keeps it back by', async () => {
      const app = await newApp(key)
      const stream = await connect(app.id)
      await vi.waitFor(() => expect(stream.frames).toHaveLength(1))
      expect(stream.frames[0]).toMatchObject({ event: 'connected', data: '{}' })
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      expect(stream.headers['x-request-id']).toBeDefined()
    })

    it('sends events as the search shows them, masked and with an id', async () => {
      const app = await newApp(key)
      house.geo.place('81.2.69.142', { country: 'GB', city: 'London', asn: 20712 })
      const stream = await connect(app.id)
      await ingest(
        house,
        app.apiKey,
        event({ ip: '81.2.69.142', payload: { email: 'a@b.c', deep: [{ ssn: '1' }], ok: 2 } }),
      )
      await stream.until(1)
      const found = await call('GET', `/api/events?appId=${app.id}`, { as: key })
      expect(stream.events()).toEqual(found.data)
      expect(stream.events()[0]).toMatchObject({
        country: 'GB',
        payload: { email: '[redacted]', deep: [{ ssn: '[redacted]' }], ok: 2 },
      })
      expect(stream.lastId()).toContain(stream.events()[0]?.id)
    })

    it('goes on from its hello for a reader that was cut off before its first event', async () => {
      const app = await newApp(key)
      const stream = await connect(app.id)
      await vi.waitFor(() => expect(stream.frames).toHaveLength(1))
      const hello = stream.frames[0]?.id ?? ''
      stream.close()
      await send(app.apiKey, 'missed')
      const again = await connect(app.id, { headers: { 'last-event-id': hello } })
      await send(app.apiKey, 'new')
      await again.until(2)
      expect(again.titles()).toEqual(['missed', 'new'])
    })

    it('takes no hello that is older than ten minutes, of another app, or made up', async () => {
      const [app, other] = [await newApp(key), await newApp(key)]
      const helloOf = async (appId: string): Promise<string> => {
        const stream = await connect(appId)
        await vi.waitFor(() => expect(stream.frames).toHaveLength(1))
        stream.close()
        return stream.frames[0]?.id ?? ''
      }
      const foreign = await helloOf(other.id)
      const old = await helloOf(app.id)
      const madeUp = old.replace(/^\d+/, '3')
      await send(app.apiKey, 'missed')
      clock.advance({ minutes: 11 })
      for (const id of [old, foreign, madeUp]) {
        const again = await connect(app.id, { headers: { 'last-event-id': id } })
        await send(app.apiKey, `after ${id}`)
        await again.until(1)
        expect(again.titles()).toEqual([`after ${id}`])
        again.close()
      }
    })

    it("never shows another app's events", async () => {
      const [mine, other] = [await newApp(key), await newApp(key)]
      const [a, b] = [await connect(mine.id), await connect(other.id)]
      await send(other.apiKey, 'theirs')
      await send(mine.apiKey, 'mine')
      await Promise.all([a.until(1), b.until(1)])
      expect(a.titles()).toEqual(['mine'])
      expect(b.titles()).toEqual(['theirs'])
    })

    it('shows only what is new to a reader who just came', async () => {
      const app = await newApp(key)
      await listen(app)
      const stream = await connect(app.id)
      await send(app.apiKey, 'new')
      await stream.until(1)
      expect(stream.titles()).toEqual(['new'])
    })

    it('sends every event once, in order, to every reader while many come in', async () => {
      const app = await newApp(key)
      const streams = await Promise.all([connect(app.id), connect(app.id)])
      const batches = Array.from({ length: 20 }, (_, i) => numbered(i * 20, i * 20 + 19))
      await Promise.all(
        batches.map((titles) =>
          ingest(
            house,
            app.apiKey,
            titles.map((title) => event({ title })),
          ),
        ),
      )
      await Promise.all(streams.map((stream) => stream.until(400)))
      for (const stream of streams) {
        expect(new Set(stream.titles())).toEqual(new Set(batches.flat()))
        expect(stream.titles()).toHaveLength(400)
      }
    })

    it.each([
      ['Last-Event-ID', (id: string) => ({ headers: { 'last-event-id': id } })],
      ['lastEventId', (id: string) => ({ query: `&lastEventId=${id}` })],
    ])('goes on behind %s without gap or repeat', async (_name, how) => {
      const app = await newApp(key)
      const before = await listen(app)
      const id = before.lastId() ?? ''
      before.close()
      await send(app.apiKey, ...numbered(1, 3))
      const after = await connect(app.id, how(id))
      await after.until(3)
      await send(app.apiKey, ...numbered(4, 5))
      await after.until(5)
      expect(after.titles()).toEqual(numbered(1, 5))
    })

    it('goes on without gap or repeat beside readers who stayed', async () => {
      const app = await newApp(key)
      const [leaving, staying] = [await listen(app), await connect(app.id)]
      const id = leaving.lastId() ?? ''
      leaving.close()
      await send(app.apiKey, ...numbered(1, 4))
      await staying.until(4)
      const [sent, back] = await Promise.all([
        send(app.apiKey, ...numbered(5, 12)),
        connect(app.id, { headers: { 'last-event-id': id } }),
      ])
      expect(sent).toBeUndefined()
      await Promise.all([back.until(12), staying.until(12)])
      await send(app.apiKey, 'last')
      await Promise.all([back.until(13), staying.until(13)])
      expect(back.titles()).toEqual([...numbered(1, 12), 'last'])
      expect(staying.titles()).toEqual([...numbered(1, 12), 'last'])
    })

    it.each(['0.', '1.evt_00000000000000000000000000', 'nonsense', '99999999999999999999.x'])(
      'starts with what is new behind the id %j that it never gave out',
      async (id) => {
        const app = await newApp(key)
        await listen(app)
        const stream = await connect(app.id, { query: `&lastEventId=${id}` })
        await send(app.apiKey, 'new')
        await stream.until(1)
        expect(stream.titles()).toEqual(['new'])
      },
    )

    it('starts with what is new behind an id of more than ten minutes ago', async () => {
      const app = await newApp(key)
      const before = await listen(app)
      const id = before.lastId() ?? ''
      await send(app.apiKey, 'missed')
      await before.until(2)
      before.close()
      clock.advance({ minutes: 11 })
      const after = await connect(app.id, { headers: { 'last-event-id': id } })
      await send(app.apiKey, 'new')
      await after.until(1)
      expect(after.titles()).toEqual(['new'])
    })

    it('outlives its token', async () => {
      const app = await newApp(key)
      const stream = await listen(app)
      clock.advance({ minutes: 5 })
      await send(app.apiKey, 'later')
      await stream.until(2)
      expect(stream.titles()).toEqual(['first', 'later'])
    })

    it('shows a detection too', async () => {
      const app = await newApp(key)
      const stream = await connect(app.id)
      house.geo.place('1.1.1.1', { country: 'JP' })
      house.geo.place('2.2.2.2', { country: 'DE' })
      const login = (ip: string) =>
        event({ type: 'auth.login', module: 'monitor', severity: 'INFO', userId: 'u', ip })
      await ingest(house, app.apiKey, login('1.1.1.1'))
      await ingest(house, app.apiKey, login('2.2.2.2'))
      await stream.until(3)
      expect(stream.events().map(({ type }) => type)).toContain('auth.impossible_travel')
    })

    it('cuts a reader off who is too slow, who then goes on without loss', async () => {
      const app = await newApp(key)
      const slow = await listen(app)
      slow.pause()
      const { hub } = house.app().services.events
      const payload = { text: 'x'.repeat(60_000) }
      let sent = 0
      while (hub.size > 0 && sent < 1_000) {
        const titles = numbered(sent + 1, (sent += 16))
        const body = titles.map((title) => event({ title, payload }))
        expect((await ingest(house, app.apiKey, body)).status).toBe(201)
      }
      expect(hub.size).toBe(0)
      slow.resume()
      await slow.untilEnded()
      const known = slow.titles().slice(1)
      expect(known.length).toBeGreaterThan(0)
      const back = await connect(app.id, { headers: { 'last-event-id': slow.lastId() ?? '' } })
      await back.until(sent - known.length)
      expect([...known, ...back.titles()]).toEqual(numbered(1, sent))
    })

    it('ends when its app is deleted', async () => {
      const app = await newApp(key)
      const stream = await listen(app)
      await call('DELETE', `/api/apps/${app.id}`, { as: key })
      await stream.untilEnded()
    })
  })

  describe('400', () => {
    it.each(['', '?token=x', '?appId=x&token=x'])('refuses the query %j', async (query) => {
      expect((await call('GET', `/api/events/stream${query}`)).status).toBe(400)
    })
  })

  describe('401', () => {
    const statusOf = async (appId: string, token: string): Promise<number> =>
      (await call('GET', `/api/events/stream?appId=${appId}&token=${token}`)).status

    it('refuses a call without a token', async () => {
      const app = await newApp(key)
      expect((await call('GET', `/api/events/stream?appId=${app.id}`)).status).toBe(401)
    })

    it('refuses a token after its 60 seconds', async () => {
      const app = await newApp(key)
      const token = await tokenFor(app.id)
      clock.advance({ seconds: 59 })
      expect((await connect(app.id, { token })).status).toBe(200)
      clock.advance({ seconds: 1 })
      expect(await statusOf(app.id, token)).toBe(401)
    })

    it('refuses the token of another app', async () => {
      const [mine, other] = [await newApp(key), await newApp(key)]
      expect(await statusOf(mine.id, await tokenFor(other.id))).toBe(401)
    })

    it('refuses a token whose time was changed', async () => {
      const app = await newApp(key)
      const [expires, signature] = (await tokenFor(app.id)).split('.')
      expect(await statusOf(app.id, `${Number(expires) + 60_000}.${signature}`)).toBe(401)
    })

    it.each(['x', '1.', '.x', '99999999999999.AAAA', 'NaN.x'])('refuses %j', async (token) => {
      const app = await newApp(key)
      expect(await statusOf(app.id, token)).toBe(401)
    })

    it('refuses the token of an app that was deleted meanwhile', async () => {
      const app = await newApp(key)
      const token = await tokenFor(app.id)
      await call('DELETE', `/api/apps/${app.id}`, { as: key })
      expect(await statusOf(app.id, token)).toBe(401)
    })
  })
})
