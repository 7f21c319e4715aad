import type pg from 'pg'
import { countEvents } from '../../apps/server/src/modules/events/counts.ts'
import { foldOnce } from '../../apps/server/src/modules/events/fold.repo.ts'
import type { EventRow, StoredEvent } from '../../apps/server/src/modules/events/stored-event.ts'

const LOG_ROW_EVENTS = 1_000
const tables = [
  ['rollup_hour', 'hour'],
  ['rollup_day', 'day'],
] as const

/**
 * Throws unless the generated rollups of an app are exactly what the server's own counting and
 * folding makes of the same events. Answers how many events were counted.
 */
export async function proveRollups(pool: pg.Pool, appId: string): Promise<number> {
  const generated = await readRollups(pool, appId)
  const { rows } = await pool.query<EventRow>('select * from events where app_id = $1', [appId])
  for (const [table] of tables) await pool.query(`delete from ${table} where app_id = $1`, [appId])
  for (let at = 0; at < rows.length; at += LOG_ROW_EVENTS) {
    const counts = countEvents(rows.slice(at, at + LOG_ROW_EVENTS).map(asStored)).get(appId)
    await pool.query('insert into ingest_log (app_id, counts) values ($1, $2)', [
      appId,
      JSON.stringify(counts),
    ])
  }
  while ((await foldOnce(pool)) > 0 || (await isLeft(pool)));
  if ((await readRollups(pool, appId)) !== generated || rows.length === 0) {
    throw new Error('The generated rollups differ from what folding makes of the same events.')
  }
  return rows.length
}

/** The server folds as well, so what another took may not be finished yet. */
async function isLeft(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query('select 1 from ingest_log limit 1')
  return rows.length > 0
}

async function readRollups(pool: pg.Pool, appId: string): Promise<string> {
  const parts = tables.map(async ([table, unit]) => {
    const { rows } = await pool.query(
      `select ${unit} as bucket, dimension, key, n from ${table} where app_id = $1 order by 1, 2, 3`,
      [appId],
    )
    return JSON.stringify(rows)
  })
  return (await Promise.all(parts)).join('\n')
}

function asStored(row: EventRow): StoredEvent {
  const given = (row.payload as { attackType?: string } | null)?.attackType
  return {
    appId: row.app_id,
    id: row.id,
    at: row.ts.getTime(),
    receivedAt: row.received_at.getTime(),
    type: row.type,
    module: row.module,
    severity: row.severity as StoredEvent['severity'],
    title: row.title,
    description: row.description,
    ip: row.ip,
    userId: row.user_id,
    country: row.country,
    city: row.city,
    asn: row.asn,
    payloadText: null,
    attackType: given ?? (row.module === 'shield' ? row.type : null),
    clientId: null,
    inbox: null,
    kept: true,
  }
}
