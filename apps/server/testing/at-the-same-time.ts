import { sql } from 'kysely'
import pg from 'pg'
import { vi } from 'vitest'
import type { Db } from '../src/db/database.ts'

/**
 * Lets calls meet in the middle of their work: `lock` holds rows that they need, `start` sends them
 * off, and once `waiting` of them stand before the lock, `meanwhile` runs in the lock's transaction,
 * which is committed.
 */
export async function atTheSameTime<T>(
  { db, connection }: { readonly db: Db; readonly connection: pg.ClientConfig },
  meeting: {
    readonly lock: string
    readonly start: () => readonly Promise<T>[]
    readonly waiting: number
    readonly meanwhile?: string
  },
): Promise<T[]> {
  const holder = new pg.Client(connection)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(meeting.lock)
    const calls = Promise.all(meeting.start())
    await vi.waitFor(
      async () => {
        if ((await countWaiting(db)) < meeting.waiting) throw new Error('They do not wait yet.')
      },
      { timeout: 10_000, interval: 10 },
    )
    if (meeting.meanwhile !== undefined) await holder.query(meeting.meanwhile)
    await holder.query('commit')
    return await calls
  } finally {
    await holder.end()
  }
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db)
  return rows[0]?.waiting ?? 0
}
