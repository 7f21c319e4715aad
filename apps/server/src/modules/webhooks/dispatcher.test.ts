import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'
import { Dispatcher } from './dispatcher.ts'

describe('a dispatcher', () => {
  const scene = webhookScene({ MERLON_ROLE: 'api' })
  const { newWebhook, ingest, deliveries, appId, readable } = scene

  /** With a count of how often it read events, and a time that the test turns. */
  function open() {
    const { pool } = scene.app().services.events
    const seen = { reads: 0, ms: 0 }
    const countingPool = {
      query: async (query: pg.QueryConfig) => {
        seen.reads++
        return pool.query(query)
      },
    } as unknown as pg.Pool
    const deps = { db: scene.db(), pool: countingPool, clock: scene.clock }
    return { dispatcher: new Dispatcher(deps, () => seen.ms), seen, pool }
  }

  async function passesFor(
    { dispatcher, seen }: ReturnType<typeof open>,
    seconds: number,
  ): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      seen.ms += 1_000
      while (await dispatcher.pass());
    }
  }

  it('reads no events while nothing is stored anywhere', async () => {
    await newWebhook()
    await readable()
    const it = open()
    await passesFor(it, 10)
    it.seen.reads = 0
    await passesFor(it, 60)
    expect(it.seen.reads).toBe(0)
  })

  it('finds what was stored without a word, at its look once a second', async () => {
    const { id } = await newWebhook()
    const it = open()
    await passesFor(it, 10)
    await ingest('auth.login')
    await readable()
    await passesFor(it, 1)
    expect(await deliveries(id)).toHaveLength(1)
  })

  it('finds at once what it is told of', async () => {
    const { id } = await newWebhook()
    const it = open()
    await passesFor(it, 10)
    await ingest('auth.login')
    await readable()
    it.dispatcher.hint([appId()])
    await it.dispatcher.pass()
    expect(await deliveries(id)).toHaveLength(1)
  })

  it('comes back to what an older transaction kept unreadable for minutes', async () => {
    const { id } = await newWebhook()
    const it = open()
    await passesFor(it, 10)
    const older = await it.pool.connect()
    try {
      await older.query('begin')
      await older.query('select pg_current_xact_id()')
      await ingest('auth.login')
      await passesFor(it, 120)
      expect(await deliveries(id)).toEqual([])
      await older.query('commit')
      await readable()
      await passesFor(it, 1)
      expect(await deliveries(id)).toHaveLength(1)
    } finally {
      older.release()
    }
  })

  it('goes on when the pause of a failing receiver is over, with nothing new stored', async () => {
    const { id } = await newWebhook()
    const it = open()
    const pausedUntil = new Date(scene.clock.now() + 60_000)
    await scene
      .db()
      .updateTable('webhooks')
      .set({ paused_until: pausedUntil })
      .where('id', '=', id)
      .execute()
    await ingest('auth.login')
    await readable()
    await passesFor(it, 30)
    expect(await deliveries(id)).toEqual([])
    scene.clock.advance({ minutes: 1 })
    await passesFor(it, 1)
    expect(await deliveries(id)).toHaveLength(1)
  })
})
