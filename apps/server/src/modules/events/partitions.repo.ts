import type pg from 'pg'

const DAY_MS = 86_400_000
const DAYS_AHEAD = 8
const DAYS_BEHIND = 1
/** Any fixed number: two nodes must not make the same partition at once. */
const LOCK = 7_262_005

/** Makes the partitions of the days around now; those that exist are left alone. */
export async function ensurePartitions(pool: pg.Pool, now: number): Promise<readonly string[]> {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const made: string[] = []
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    for (let day = -DAYS_BEHIND; day <= DAYS_AHEAD; day++) {
      const start = new Date(today + day * DAY_MS)
      const name = partitionName(start)
      const { rows } = await client.query<{ exists: boolean }>(
        'select to_regclass($1) is not null as exists',
        [name],
      )
      if (rows[0]?.exists === true) continue
      await makePartition(client, name, start)
      made.push(name)
    }
  } finally {
    // A connection that cannot give the lock back is thrown away, and the lock goes with it.
    await client
      .query('select pg_advisory_unlock($1)', [LOCK])
      .catch((error: Error) => (broken = error))
    client.release(broken)
  }
  return made
}

/** Rows of that day that came before its partition are moved into it from the catch-all. */
async function makePartition(client: pg.PoolClient, name: string, start: Date): Promise<void> {
  const from = start.toISOString()
  const to = new Date(start.getTime() + DAY_MS).toISOString()
  await client.query('begin')
  try {
    // A row of that day that came in between would keep the partition from being attached, and a
    // writer that had already chosen the catch-all for it would be refused: writers wait at the door.
    await client.query('lock table only events in share row exclusive mode')
    await client.query('lock table events_other in access exclusive mode')
    await client.query(`create table ${name} (like events including defaults)`)
    await client.query(
      `with moved as (delete from events_other where ts >= $1 and ts < $2 returning *)
       insert into ${name} select * from moved`,
      [from, to],
    )
    await client.query(
      `alter table events attach partition ${name} for values from ('${from}') to ('${to}')`,
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

function partitionName(day: Date): string {
  return `events_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** Drops the days that every app's retention has left behind: disk comes back at once. */
export async function dropPartitionsBefore(
  pool: pg.Pool,
  before: Date,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$' order by 1`,
  )
  const limit = partitionName(before)
  const old = rows.map((row) => row.name).filter((name) => name < limit)
  for (const name of old) await pool.query(`drop table if exists ${name}`)
  return old
}
