import { beforeAll, describe, expect, it } from 'vitest'
import { event, ingest, stored } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'
import { silentLog } from '../../../testing/job-worker.ts'
import { deleteOldEvents } from './retention.repo.ts'
import { retentionJob } from './retention.job.ts'

const DAY = 86_400_000

describe('the retention of events', () => {
  const house = harness()
  const { call, clock } = house
  let key = ''
  beforeAll(async () => {
    key = (await house.newAccount()).key
  })
  const newApp = async (days?: number) => {
    const app = await house.newApp(key)
    if (days !== undefined) {
      const body = { monitor: { eventRetentionDays: days } }
      await call('PATCH', `/api/apps/${app.id}/settings`, { as: key, body })
    }
    return app
  }
  const run = async () =>
    (await retentionJob(house.app().services.events.pool).run({
      payload: {},
      checkpoint: undefined,
      saveCheckpoint: async () => undefined,
      db: house.db(),
      clock,
      log: silentLog,
      signal: new AbortController().signal,
    } as never)) as { dropped: string[]; deleted: number }
  const send = async (apiKey: string, daysAgo: number, count = 1) => {
    const timestamp = new Date(clock.now() - daysAgo * DAY).toISOString()
    await ingest(house, apiKey, Array(count).fill(event({ title: `${daysAgo}`, timestamp })))
  }
  const titles = async (appId: string) =>
    (await stored(house, key, appId)).map((found) => found.title).toSorted()

  it('keeps the days of each app by its own setting', async () => {
    const [short, long] = [await newApp(10), await newApp(60)]
    for (const { apiKey } of [short, long]) {
      for (const days of [1, 8]) await send(apiKey, days)
    }
    await send(long.apiKey, 40)
    clock.advance({ days: 5 })
    await run()
    expect(await titles(short.id)).toEqual(['1'])
    expect(await titles(long.id)).toEqual(['1', '40', '8'])
  })

  it('removes the tables of days that every app has left behind', async () => {
    const app = await newApp()
    await send(app.apiKey, 0)
    const table = `events_${new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '')}`
    clock.advance({ days: 92 })
    const { dropped } = await run()
    expect(dropped).toContain(table)
    expect(await titles(app.id)).toEqual([])
    const { rows } = await house
      .app()
      .services.events.pool.query<{ gone: boolean }>('select to_regclass($1) is null as gone', [
        table,
      ])
    expect(rows[0]?.gone).toBe(true)
  })

  it('makes the days ahead, so that new events have a table of their own', async () => {
    const app = await newApp()
    await run()
    await send(app.apiKey, 0)
    const { rows } = await house
      .app()
      .services.events.pool.query<{ place: string }>(
        'select tableoid::regclass::text as place from events where app_id = $1',
        [app.id],
      )
    expect(rows[0]?.place).toMatch(/^events_\d{8}$/)
  })

  it('forgets client ids after a week and answers after two days, not before', async () => {
    const app = await newApp()
    const send1 = (id: string) =>
      ingest(house, app.apiKey, event({ id }), { 'idempotency-key': id })
    await send1('old')
    clock.advance({ days: 3 })
    await run()
    const idsOf = async () =>
      (
        await house
          .db()
          .selectFrom('event_client_ids')
          .select('client_id')
          .where('app_id', '=', app.id)
          .execute()
      ).map((row) => row.client_id)
    const keysOf = async () =>
      house.db().selectFrom('idempotency_keys').select('key').where('app_id', '=', app.id).execute()
    expect(await idsOf()).toEqual(['old'])
    expect(await keysOf()).toEqual([])
    clock.advance({ days: 5 })
    await send1('new')
    await run()
    expect(await idsOf()).toEqual(['new'])
    expect(await keysOf()).toHaveLength(1)
  })

  it('forgets what detectors knew of people after 90 days, but not what is normal', async () => {
    const app = await newApp()
    await ingest(house, app.apiKey, event({ type: 'auth.login', userId: 'u', ip: '1.1.1.1' }))
    const minute = new Date(clock.now()).toISOString()
    const routes = [{ route: 'GET /', requests: 1 }]
    await ingest(
      house,
      app.apiKey,
      event({ type: 'traffic.aggregate', payload: { minute, routes } }),
    )
    await house.settle()
    clock.advance({ days: 91 })
    await run()
    const states = await house
      .db()
      .selectFrom('detection_state')
      .select('kind')
      .where('app_id', '=', app.id)
      .execute()
    expect(states.map((row) => row.kind)).toEqual(['baseline'])
  })

  it('forgets the counters of addresses after a day, but not those of people', async () => {
    const app = await newApp()
    await ingest(house, app.apiKey, event({ type: 'auth.failed', userId: 'u', ip: '1.1.1.1' }))
    await house.settle()
    clock.advance({ days: 2 })
    await run()
    const states = await house
      .db()
      .selectFrom('detection_state')
      .select('key')
      .where('app_id', '=', app.id)
      .where('kind', '=', 'auth')
      .execute()
    expect(states.map((row) => row.key)).toEqual(['user:u'])
  })

  it('deletes in batches until nothing is left', async () => {
    const app = await newApp(1)
    await send(app.apiKey, 0, 300)
    clock.advance({ days: 2 })
    const before = new Date(clock.now() - DAY)
    expect(await deleteOldEvents(house.db(), app.id, before)).toBe(300)
    expect(await deleteOldEvents(house.db(), app.id, before)).toBe(0)
  })

  it('finds the rows to delete by an index, however many others there are', async () => {
    const { pool } = house.app().services.events
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain delete from events where app_id = 'a' and ts < now() and ts <= coalesce((
         select ts from events where app_id = 'a' and ts < now() order by ts limit 1 offset 9), now())`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan on events_\d/)
  })
})
