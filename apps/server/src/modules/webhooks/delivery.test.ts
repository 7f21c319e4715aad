import { describe, expect, it } from 'vitest'
import { isSignedWith } from '../../../testing/receiver.ts'
import { webhookScene } from '../../../testing/webhook-scene.ts'

describe('the delivery of events', () => {
  const scene = webhookScene()
  const { newWebhook, receiver, ingest, settled, deliveries, get, patch, clock } = scene

  it('carries what was stored, in order, in one call', async () => {
    const webhook = await newWebhook()
    await ingest('auth.login', 'auth.logout')
    await settled()
    const [call, ...more] = receiver().calls
    expect(more).toEqual([])
    expect(call?.body).toMatchObject({ type: 'events', appId: scene.appId() })
    expect(call?.body.events.map((event) => event.type)).toEqual(['auth.login', 'auth.logout'])
    expect(call?.body.events[0]).toMatchObject({ title: 'Something: auth.login', severity: 'HIGH' })
    expect(call?.body.events[0]?.payload).toEqual({ tries: 3 })
    const [delivery] = await deliveries(webhook.id)
    expect(delivery).toEqual({
      id: call?.body.id,
      webhookId: webhook.id,
      status: 'delivered',
      attempts: 1,
      eventIds: call?.body.events.map((event) => event.id),
      replayOf: null,
      responseStatus: 200,
      error: null,
      nextAttemptAt: null,
      deliveredAt: new Date(clock.now()).toISOString(),
      createdAt: call?.body.createdAt,
    })
    expect((await get(webhook.id)).lastSuccessAt).toBe(new Date(clock.now()).toISOString())
  })

  it('is signed with the secret, names itself and says that it is JSON', async () => {
    const { secret } = await newWebhook()
    await ingest('auth.login')
    await settled()
    const [call] = receiver().calls
    expect(call && isSignedWith(secret, call)).toBe(true)
    expect(call && isSignedWith(`${secret}x`, call)).toBe(false)
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Merlon-Webhooks/1',
      'merlon-delivery': call?.body.id,
    })
  })

  it('brings only the types that were asked for', async () => {
    await newWebhook({ events: ['auth.*', '*.blocked'] })
    await ingest('auth.login', 'scan.done', 'shield.sql.blocked')
    await settled()
    expect(typesSeen()).toEqual(['auth.login', 'shield.sql.blocked'])
  })

  it('makes no call when nothing fits', async () => {
    const { id } = await newWebhook({ events: ['scan.*'] })
    await ingest('auth.login')
    await settled()
    expect(receiver().calls).toEqual([])
    expect(await deliveries(id)).toEqual([])
  })

  it('leaves out what was stored before the webhook was made', async () => {
    await ingest('auth.before')
    await newWebhook()
    await ingest('auth.after')
    await settled()
    expect(typesSeen()).toEqual(['auth.after'])
  })

  it('leaves out the events of another app', async () => {
    await newWebhook()
    const other = await scene.newApp(scene.key())
    const body = { type: 'auth.other', module: 'auth', severity: 'LOW', title: 'Not mine' }
    await scene.call('POST', '/api/events/ingest', { appKey: other.apiKey, body })
    await settled()
    expect(receiver().calls).toEqual([])
  })

  it('splits what is too much for one call', async () => {
    await newWebhook()
    await ingest(...Array.from({ length: 250 }, (_, n) => `auth.n${n}`))
    await settled()
    expect(receiver().calls.map((call) => call.body.events.length)).toEqual(
      expect.arrayContaining([100, 100, 50]),
    )
    expect(new Set(typesSeen()).size).toBe(250)
  })

  it('comes again after five seconds, then thirty, under the same id with a fresh signature', async () => {
    const { id, secret } = await newWebhook()
    receiver().answer(500)
    await ingest('auth.login')
    await settled()
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', attempts: 1, responseStatus: 500, error: 'The receiver answered 500.' },
    ])
    clock.advance({ seconds: 4 })
    await settled()
    expect(receiver().calls).toHaveLength(1)
    clock.advance({ seconds: 2 })
    await settled()
    expect(receiver().calls).toHaveLength(2)
    receiver().answer(204)
    clock.advance({ seconds: 32 })
    await settled()
    const { calls } = receiver()
    expect(calls).toHaveLength(3)
    expect(new Set(calls.map((call) => call.text)).size).toBe(1)
    expect(new Set(calls.map((call) => call.headers['merlon-signature'])).size).toBe(3)
    expect(calls.every((call) => isSignedWith(secret, call))).toBe(true)
    expect(await deliveries(id)).toMatchObject([
      { status: 'delivered', attempts: 3, responseStatus: 204, error: null },
    ])
  })

  it('counts failures in a row and forgets them at the first success', async () => {
    const { id } = await newWebhook()
    receiver().answer(503)
    await ingest('auth.login')
    await settled()
    clock.advance({ seconds: 6 })
    await settled()
    expect((await get(id)).consecutiveFailures).toBe(2)
    receiver().answer(200)
    clock.advance({ minutes: 1 })
    await settled()
    expect((await get(id)).consecutiveFailures).toBe(0)
  })

  it('is given up after three days', async () => {
    const { id } = await newWebhook()
    receiver().answer(500)
    await ingest('auth.login')
    for (let hours = 0; hours < 90; hours++) {
      await settled()
      clock.advance({ hours: 1 })
    }
    expect(await deliveries(id)).toMatchObject([
      { status: 'failed', attempts: 13, nextAttemptAt: null, error: 'The receiver answered 500.' },
    ])
  })

  it('lets new events wait while the receiver fails, and then brings them together', async () => {
    const { id } = await newWebhook()
    receiver().answer(500)
    await ingest('auth.first')
    await settled()
    await ingest('auth.second')
    await settled()
    await ingest('auth.third')
    await settled()
    expect(receiver().calls).toHaveLength(1)
    receiver().answer(200)
    clock.advance({ minutes: 1 })
    await settled()
    expect(typesSeen().slice(1)).toEqual(
      expect.arrayContaining(['auth.first', 'auth.second', 'auth.third']),
    )
    expect(await deliveries(id)).toHaveLength(2)
  })

  it('does not follow a redirect', async () => {
    const { id } = await newWebhook()
    receiver().answer(302, { location: '/elsewhere' })
    await ingest('auth.login')
    await settled()
    expect(receiver().calls).toHaveLength(1)
    expect((await deliveries(id))[0]?.error).toBe(
      'The receiver answered 302; redirects are not followed.',
    )
    await patch(id, { enabled: false })
  })

  it('switches the webhook off when the receiver is gone for good', async () => {
    const { id } = await newWebhook()
    receiver().answer(410)
    await ingest('auth.login')
    await settled()
    expect((await get(id)).enabled).toBe(false)
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', responseStatus: 410 }])
    await ingest('auth.login')
    await settled()
    expect(receiver().calls).toHaveLength(1)
  })

  it('waits while its webhook is off, and goes on once it is on', async () => {
    const { id } = await newWebhook()
    receiver().answer(500)
    await ingest('auth.waiting')
    await settled()
    await patch(id, { enabled: false })
    receiver().answer(200)
    clock.advance({ days: 1 })
    await settled()
    expect(receiver().calls).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([{ status: 'pending', nextAttemptAt: null }])
    await ingest('auth.while_off')
    await patch(id, { enabled: true })
    await settled()
    expect(typesSeen()).toEqual(['auth.waiting', 'auth.waiting'])
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
  })

  it('leaves out a person whose events were erased meanwhile', async () => {
    const { id } = await newWebhook()
    receiver().answer(500)
    await ingest('auth.login')
    await settled()
    await scene.db().deleteFrom('events').execute()
    receiver().answer(200)
    clock.advance({ minutes: 1 })
    await settled()
    expect(receiver().calls).toHaveLength(1)
    expect((await deliveries(id))[0]).toMatchObject({
      status: 'failed',
      error: 'The events of this delivery are no longer stored.',
    })
  })

  function typesSeen(): string[] {
    return receiver().calls.flatMap((call) => call.body.events.map((event) => event.type))
  }
})
