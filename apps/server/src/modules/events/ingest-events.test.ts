import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { counted, event, ingest, stored } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'

describe('POST /api/events/ingest', () => {
  const house = harness()
  const { call, clock, newAccount, newApp } = house
  const setup = async () => {
    const { key } = await newAccount()
    const app = await newApp(key)
    return { key, app, appKey: app.apiKey }
  }

  describe('201', () => {
    it('stores one event with what the server adds', async () => {
      const { key, app, appKey } = await setup()
      house.geo.place('81.2.69.142', { country: 'GB', city: 'London', asn: 20712 })
      const reply = await ingest(
        house,
        appKey,
        event({ ip: '81.2.69.142', userId: 'u1', payload: { path: '/login' } }),
      )
      expect(reply.status).toBe(201)
      expect(reply.data).toEqual({ count: 1 })
      const [found] = await stored(house, key, app.id)
      expect(found).toMatchObject({
        appId: app.id,
        type: 'request.blocked',
        ip: '81.2.69.142',
        userId: 'u1',
        country: 'GB',
        city: 'London',
        asn: 20712,
        payload: { path: '/login' },
        receivedAt: new Date(clock.now()).toISOString(),
      })
      expect(found?.id).toMatch(/^evt_/)
    })

    it('stores the valid events of a list and names the others by their place', async () => {
      const { key, app, appKey } = await setup()
      const reply = await ingest(house, appKey, [
        event(),
        event({ severity: 'SEVERE' }),
        event({ title: '' }),
        event(),
      ])
      expect(reply.status).toBe(201)
      expect(reply.data.count).toBe(2)
      expect(reply.data.rejected).toEqual([
        { index: 1, error: 'severity must be one of CRITICAL, HIGH, MEDIUM, LOW, INFO.' },
        { index: 2, error: 'title must not be empty.' },
      ])
      expect(await stored(house, key, app.id)).toHaveLength(2)
    })

    it('takes 1,000 events at once', async () => {
      const { key, app, appKey } = await setup()
      const reply = await ingest(
        house,
        appKey,
        Array.from({ length: 1_000 }, (_, i) => event({ title: `t\t${i}\\n\n"` })),
      )
      expect(reply.data.count).toBe(1_000)
      expect((await counted(house, key, app.id)).totalEvents).toBe(1_000)
      expect((await stored(house, key, app.id))[0]?.title).toBe('t\t999\\n\n"')
    })

    it('takes text/plain, as beacons send it', async () => {
      const { appKey } = await setup()
      const reply = await ingest(house, appKey, event(), {
        'content-type': 'text/plain;charset=UTF-8',
      })
      expect(reply.status).toBe(201)
    })

    it('takes a gzip body', async () => {
      const { appKey } = await setup()
      const reply = await house.server().inject({
        method: 'POST',
        url: '/api/events/ingest',
        headers: {
          'x-api-key': appKey,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        payload: gzipSync(JSON.stringify([event(), event()])),
      })
      expect(reply.statusCode).toBe(201)
      expect(reply.json()).toEqual({ ok: true, data: { count: 2 } })
    })

    it('drops fields that it does not know', async () => {
      const { appKey } = await setup()
      expect((await ingest(house, appKey, event({ colour: 'red' }))).status).toBe(201)
    })

    it('masks sensitive fields at any depth before anything is stored', async () => {
      const { key, app, appKey } = await setup()
      await ingest(
        house,
        appKey,
        event({ payload: { email: 'a@b.c', user: { Phone: '1', tags: [{ ssn: '2' }] }, ok: 3 } }),
      )
      const [found] = await stored(house, key, app.id)
      expect(found?.payload).toEqual({
        email: '[redacted]',
        user: { Phone: '[redacted]', tags: [{ ssn: '[redacted]' }] },
        ok: 3,
      })
    })

    it('keeps an event that carries an attack: NUL, half characters, prototype keys', async () => {
      const { key, app, appKey } = await setup()
      const body = `{"type":"request.blocked","module":"shield","severity":"HIGH","title":"x\\u0000y","payload":{"a":"\\ud800","__proto__":{"b":1},"c":2}}`
      expect((await ingest(house, appKey, body)).status).toBe(201)
      const [found] = await stored(house, key, app.id)
      expect(found?.title).toBe('x\ufffdy')
      expect(found?.payload).toEqual({ a: '\ufffd', c: 2 })
    })

    it('counts an event that is sent again with its id once', async () => {
      const { key, app, appKey } = await setup()
      const again = event({ id: 'client-1' })
      expect((await ingest(house, appKey, again)).data.count).toBe(1)
      expect(
        (await ingest(house, appKey, [again, event({ id: 'client-2' }), again])).data.count,
      ).toBe(3)
      expect((await counted(house, key, app.id)).totalEvents).toBe(2)
      expect(await stored(house, key, app.id)).toHaveLength(2)
    })

    it('answers a repeated Idempotency-Key as it did first and stores nothing more', async () => {
      const { key, app, appKey } = await setup()
      const send = () =>
        ingest(house, appKey, [event(), event({ severity: 'x' })], { 'idempotency-key': 'k1' })
      const [first, second] = [await send(), await send()]
      expect(second.status).toBe(201)
      expect(second.data).toEqual(first.data)
      expect((await counted(house, key, app.id)).totalEvents).toBe(1)
    })

    it('stores once when the same Idempotency-Key comes twenty times at once', async () => {
      const { key, app, appKey } = await setup()
      const replies = await Promise.all(
        Array.from({ length: 20 }, () =>
          ingest(house, appKey, [event(), event()], { 'idempotency-key': 'k2' }),
        ),
      )
      expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(201))
      expect((await counted(house, key, app.id)).totalEvents).toBe(2)
    })

    it('takes a time of the past and counts the event there', async () => {
      const { key, app, appKey } = await setup()
      const at = new Date(clock.now() - 3 * 86_400_000).toISOString()
      await ingest(house, appKey, event({ timestamp: at }))
      const week = await counted(house, key, app.id, '7d')
      expect(
        week.trend.find((point) => point.label === `${at.slice(0, 10)}T00:00:00.000Z`)?.total,
      ).toBe(1)
      expect((await counted(house, key, app.id)).totalEvents).toBe(0)
    })

    it('does not count a traffic aggregate as an event', async () => {
      const { key, app, appKey } = await setup()
      const payload = {
        minute: new Date(clock.now()).toISOString(),
        routes: [{ route: 'GET /', requests: 5 }],
      }
      const aggregate = event({
        type: 'traffic.aggregate',
        module: 'monitor',
        severity: 'INFO',
        payload,
      })
      expect((await ingest(house, appKey, aggregate)).data.count).toBe(1)
      expect((await counted(house, key, app.id)).totalEvents).toBe(0)
    })
  })

  describe('400', () => {
    const bad: [string, unknown, RegExp][] = [
      ['a list of none', [], /empty/],
      ['1,001 events', Array.from({ length: 1_001 }, () => event()), /At most 1000 events.*1001/],
      ['a number', 5, /JSON object/],
      ['no type', event({ type: undefined }), /type is required/],
      ['a wrong severity', event({ severity: 'high' }), /severity must be one of/],
      ['an address that is none', event({ ip: '1.2.3.999' }), /ip must be/],
      [
        'a time two days ahead',
        event({ timestamp: new Date(Date.now() + 172_800_000).toISOString() }),
        /24 hours ahead/,
      ],
      [
        'a time before the retention',
        event({ timestamp: '2001-01-01T00:00:00Z' }),
        /older than the 90 days/,
      ],
      ['a time that is none', event({ timestamp: 'yesterday' }), /timestamp must be/],
      ['a payload of 65 KiB', event({ payload: { a: 'x'.repeat(65 * 1024) } }), /64 KiB/],
      [
        'a payload nine levels deep',
        event({ payload: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) }),
        /8 levels/,
      ],
      ['a payload that is a list', event({ payload: [] }), /payload must be/],
      ['broken JSON', '[{', /not valid JSON/],
      [
        'an aggregate without routes',
        event({ type: 'traffic.aggregate', payload: { minute: '2026-01-01T00:00:00Z' } }),
        /routes/,
      ],
    ]
    it.each(bad)('refuses %s', async (_name, body, sentence) => {
      const { appKey } = await setup()
      const reply = await ingest(house, appKey, body)
      expect(reply.status).toBe(400)
      expect(reply.error).toMatch(sentence)
    })

    it('refuses nesting of a hundred thousand levels without falling over', async () => {
      const { appKey } = await setup()
      const body = `{"type":"a","module":"b","severity":"LOW","title":"c","payload":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
      const reply = await ingest(house, appKey, body)
      expect(reply.status).toBe(400)
    })
  })

  describe('409', () => {
    it('refuses an Idempotency-Key that comes with another body', async () => {
      const { appKey } = await setup()
      await ingest(house, appKey, event(), { 'idempotency-key': 'k3' })
      const reply = await ingest(house, appKey, event({ title: 'other' }), {
        'idempotency-key': 'k3',
      })
      expect(reply.status).toBe(409)
    })
  })

  describe('413', () => {
    it('refuses 2 MiB, also when they come as 2 KiB of gzip', async () => {
      const { appKey } = await setup()
      const large = JSON.stringify(event({ payload: { a: 'x'.repeat(2 * 1024 * 1024) } }))
      expect((await ingest(house, appKey, large)).status).toBe(413)
      const bomb = await house.server().inject({
        method: 'POST',
        url: '/api/events/ingest',
        headers: {
          'x-api-key': appKey,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        payload: gzipSync(large),
      })
      expect(bomb.statusCode).toBe(413)
    })
  })

  describe('415', () => {
    it('refuses other types and other encodings', async () => {
      const { appKey } = await setup()
      expect((await ingest(house, appKey, '<x/>', { 'content-type': 'text/xml' })).status).toBe(415)
      expect((await ingest(house, appKey, event(), { 'content-encoding': 'br' })).status).toBe(415)
    })
  })

  it('is not open for an account key', async () => {
    const { key } = await setup()
    expect((await call('POST', '/api/events/ingest', { appKey: key, body: event() })).status).toBe(
      401,
    )
  })
})
