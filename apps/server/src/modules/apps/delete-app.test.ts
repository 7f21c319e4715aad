import type { App } from '@merlon/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAppKeyDoor, type AppKeyDoor } from '../../../testing/app-key-door.ts'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

describe('DELETE /api/apps/:id', () => {
  const house = harness()
  const { call, newAccount, newApp, db, clock, connection, jobsDone } = house
  let key: string
  let door: AppKeyDoor
  beforeAll(async () => {
    key = (await newAccount()).key
    door = await openAppKeyDoor(house)
    // Tables that no migration of today knows: an app's deletion must reach them by itself.
    await sql`create table later_notes (id serial, app_id text not null, note text)`.execute(db())
    await sql`create table later_events (app_id text not null, day int) partition by list (day)`.execute(
      db(),
    )
    await sql`create table later_events_1 partition of later_events for values in (1)`.execute(db())
    await sql`create table later_events_2 partition of later_events for values in (2)`.execute(db())
    await sql`comment on table later_events is 'Many rows. merlon:bulk'`.execute(db())
  })
  afterAll(() => door.close())
  const remove = (id: string, as = key) => call<{ id: string }>('DELETE', `/api/apps/${id}`, { as })
  const rowsOf = async (table: string, id: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where app_id = ${id}`.execute(db())
    return rows[0]?.n
  }

  describe('200', () => {
    it('answers the id, and from then on the app is nowhere', async () => {
      const { id } = await newApp(key)
      const reply = await remove(id)
      expect(reply.status).toBe(200)
      expect(reply.data).toEqual({ id })
      expect((await call('GET', `/api/apps/${id}`, { as: key })).status).toBe(404)
      const listed = await call<App[]>('GET', '/api/apps', { as: key })
      expect(listed.data.map((app) => app.id)).not.toContain(id)
    })

    it("refuses the deleted app's key from that moment", async () => {
      const app = await newApp(key)
      expect(await door.status(app.apiKey)).toBe(204)
      await remove(app.id)
      await expect.poll(() => door.status(app.apiKey), { timeout: 1_000, interval: 5 }).toBe(401)
    })

    it('refuses a key in its grace period as well', async () => {
      const app = await newApp(key)
      await call('POST', `/api/apps/${app.id}/rotate-key`, { as: key })
      await remove(app.id)
      await expect.poll(() => door.status(app.apiKey), { timeout: 1_000, interval: 5 }).toBe(401)
    })

    it('removes its rows from a table without a foreign key, and only its own', async () => {
      const [doomed, kept] = [await newApp(key), await newApp(key)]
      await sql`insert into later_notes (app_id) values (${doomed.id}), (${doomed.id}), (${kept.id})`.execute(
        db(),
      )
      await remove(doomed.id)
      expect(await rowsOf('later_notes', doomed.id)).toBe(0)
      expect(await rowsOf('later_notes', kept.id)).toBe(1)
    })

    it('lets a job remove its rows from a bulk table, across partitions and batches', async () => {
      const [doomed, kept] = [await newApp(key), await newApp(key)]
      await sql`
        insert into later_events select ${doomed.id}, 1 + n % 2 from generate_series(1, 45000) n
      `.execute(db())
      await sql`insert into later_events values (${kept.id}, 1)`.execute(db())
      await remove(doomed.id)
      await jobsDone()
      expect(await rowsOf('later_events', doomed.id)).toBe(0)
      expect(await rowsOf('later_events', kept.id)).toBe(1)
    })

    it('also removes what a request under way wrote after the app was gone', async () => {
      const { id } = await newApp(key)
      await remove(id)
      await jobsDone()
      await sql`insert into later_notes (app_id) values (${id})`.execute(db())
      await sql`insert into later_events values (${id}, 1)`.execute(db())
      clock.advance({ minutes: 3 })
      await jobsDone()
      expect(await rowsOf('later_notes', id)).toBe(0)
      expect(await rowsOf('later_events', id)).toBe(0)
    })

    it('removes the jobs that were under way for it', async () => {
      const { id } = await newApp(key)
      await sql`
        insert into jobs (id, kind, payload, app_id, run_at, created_at)
        values (${`job_of_${id}`}, 'of no worker', '{}', ${id}, now(), now())
      `.execute(db())
      await remove(id)
      expect(await rowsOf('jobs', id)).toBe(0)
    })

    it('keeps the audit entries about it', async () => {
      const { id, apiKey } = await newApp(key)
      await remove(id)
      const { data } = await call<{ action: string; target: string; before: unknown }[]>(
        'GET',
        '/api/audit?limit=2',
        { as: key },
      )
      expect(data.map(({ action, target }) => [action, target])).toEqual([
        ['app.delete', id],
        ['app.create', id],
      ])
      expect(data[0]?.before).toMatchObject({ id, name: 'Shop' })
      expect(JSON.stringify(data)).not.toContain(apiKey)
    })
  })

  describe('400', () => {
    it('refuses what is no id of an app', async () => {
      const reply = await remove('acct_01M7EGPXZ6ANEYWH20MFNTW72G')
      expect(reply.status).toBe(400)
      expect(reply.error).toBe('id must be an id that begins with app_.')
    })
  })

  describe('403', () => {
    it('deletes no app of another account', async () => {
      const [owner, app] = [key, await newApp(key)]
      const stranger = await newAccount()
      expect((await remove(app.id, stranger.key)).status).toBe(403)
      expect((await call('GET', `/api/apps/${app.id}`, { as: owner })).status).toBe(200)
    })
  })

  describe('404', () => {
    it('says that a deleted app does not exist', async () => {
      const { id } = await newApp(key)
      await remove(id)
      expect((await remove(id)).status).toBe(404)
    })

    it('is the answer to one of two deletions at once', async () => {
      const { id } = await newApp(key)
      const replies = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from apps where id = '${id}' for update`,
          start: () => [remove(id), remove(id)],
          waiting: 2,
        },
      )
      expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 404]))
    })
  })
})
