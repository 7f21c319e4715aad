import { createId } from '@merlon/base'
import { describe, expect, it } from 'vitest'
import { webhookScene } from '../../../testing/webhook-scene.ts'
import { dispatchOnce } from './dispatch.ts'
import { startWebhooks } from './runtime.ts'

const PER_WRITER = 600

describe('the dispatcher', () => {
  const scene = webhookScene({ MERLON_ROLE: 'api' })
  const { newWebhook, receiver, clock, deliveries, ingest, readable } = scene

  it('loses and doubles no event of two writers, on two nodes that break off again and again', async () => {
    const webhook = await newWebhook()
    const { pool } = scene.app().services.events
    // Every third time the job cannot be written: after the position moved and the delivery stands.
    await pool.query('create sequence breaks')
    await pool.query(`create function break_off() returns trigger language plpgsql as $$ begin
      if new.kind = 'webhooks.deliver' and nextval('breaks') % 3 = 0 then
        raise exception 'broken off';
      end if; return new; end $$`)
    await pool.query(
      'create trigger break_off before insert on jobs for each row execute function break_off()',
    )
    let writing = true
    let broken = 0
    const dispatchUntilDone = async (): Promise<void> => {
      for (let idle = 0; writing || idle < 3;) {
        try {
          idle = (await dispatchOnce({ db: scene.db(), pool, clock })) ? 0 : idle + 1
        } catch {
          broken++
          idle = 0
        }
        // More is on its way than may be, so that the bound on it has no say here.
        await pool.query(`update webhook_deliveries set attempts = 1 where id in (
          select id from webhook_deliveries where status = 'pending' and attempts = 0
          for update skip locked)`)
      }
    }
    const writeAll = async (): Promise<void> => {
      await Promise.all([write('a'), write('b')])
      await readable()
      writing = false
    }
    await Promise.all([writeAll(), dispatchUntilDone(), dispatchUntilDone()])
    await pool.query('drop trigger break_off on jobs')
    expect(broken).toBeGreaterThan(0)

    const { rows } = await pool.query<{ ids: string[] }>(
      'select event_ids as ids from webhook_deliveries where webhook_id = $1',
      [webhook.id],
    )
    const sent = rows.flatMap(({ ids }) => ids)
    const stored = await pool.query<{ id: string }>('select id from events where app_id = $1', [
      scene.appId(),
    ])
    expect(stored.rows).toHaveLength(2 * PER_WRITER)
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.toSorted()).toEqual(stored.rows.map(({ id }) => id).toSorted())
  })

  it('holds no more than ten calls back; the rest waits and shares a call', async () => {
    const { id } = await newWebhook()
    for (let n = 0; n < 15; n++) {
      await ingest(`auth.n${n}`)
      await dispatchUntilIdle()
    }
    expect(await deliveries(id)).toHaveLength(10)
    const node = await startNode()
    try {
      await node.settle()
      const types = receiver().calls.flatMap(({ body }) => body.events.map(({ type }) => type))
      expect(types.toSorted()).toEqual(
        Array.from({ length: 15 }, (_, n) => `auth.n${n}`).toSorted(),
      )
      expect(receiver().calls).toHaveLength(11)
    } finally {
      await node.close()
    }
  })

  it('puts no more than about a mebibyte into one call', async () => {
    const { id } = await newWebhook()
    const { pool } = scene.app().services.events
    await insertEvents(40, JSON.stringify({ text: 'x'.repeat(60_000) }))
    await dispatchUntilIdle()
    const sizes = (await deliveries(id)).map(({ eventIds }) => eventIds.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40)
    expect(Math.max(...sizes)).toBeLessThan(18)
    await pool.query('delete from events')
  })

  async function dispatchUntilIdle(): Promise<void> {
    const { pool } = scene.app().services.events
    await readable()
    while (await dispatchOnce({ db: scene.db(), pool, clock }));
  }

  function startNode() {
    const { keyring, log, events } = scene.app().services
    const own = { db: scene.db(), pool: events.pool, clock, log, keyring }
    return startWebhooks({ ...own, allowPrivate: true, works: true })
  }

  async function insertEvents(count: number, payload: string): Promise<void> {
    const { pool } = scene.app().services.events
    for (let n = 0; n < count; n++) {
      await pool.query(
        `insert into events (app_id, id, ts, received_at, type, module, severity, title, payload)
         values ($1, $2, $3, $3, 'auth.large', 'auth', 'LOW', 'Large', $4)`,
        [scene.appId(), createId('event', clock.now()), new Date(clock.now()), payload],
      )
    }
  }

  /** Each event has a transaction of its own that stays open for a moment, so that commits overtake each other. */
  async function write(name: string): Promise<void> {
    const { pool } = scene.app().services.events
    const client = await pool.connect()
    try {
      for (let n = 0; n < PER_WRITER; n++) {
        await client.query('begin')
        await client.query(
          `insert into events (app_id, id, ts, received_at, type, module, severity, title)
           values ($1, $2, $3, $3, $4, 'auth', 'LOW', 'Numbered')`,
          [
            scene.appId(),
            createId('event', clock.now()),
            new Date(clock.now()),
            `auth.${name}${n}`,
          ],
        )
        await client.query('select pg_sleep($1)', [(n * 7919) % 5 === 0 ? 0.004 : 0])
        await client.query('commit')
      }
    } finally {
      client.release()
    }
  }
})
