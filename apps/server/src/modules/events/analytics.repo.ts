import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Dimension } from './counts.ts'

export interface CountRow {
  /** Set for the dimensions of the trend only. */
  readonly bucket: Date | null
  readonly dimension: Dimension
  readonly key: string
  readonly n: number
}

/**
 * Counts of a window from the rollups plus what has not been folded yet. One statement sees one
 * state of the database, so an event is in the one or in the other, never in both or neither.
 */
export async function readCounts(
  db: Db,
  query: { appId: string; unit: 'hour' | 'day'; from: Date; to: Date },
): Promise<readonly CountRow[]> {
  const table = query.unit === 'hour' ? sql.raw('rollup_hour') : sql.raw('rollup_day')
  const column = sql.raw(query.unit)
  const { rows } = await sql<CountRow>`
    with counts as (
      select ${column} as bucket, dimension, key, n from ${table}
      where app_id = ${query.appId} and ${column} >= ${query.from} and ${column} < ${query.to}
      union all
      select date_trunc(${query.unit}, to_timestamp((c ->> 0)::bigint * 3600), 'UTC'), c ->> 1, c ->> 2, (c ->> 3)::bigint
      from ingest_log, jsonb_array_elements(counts) c
      where app_id = ${query.appId} and to_timestamp((c ->> 0)::bigint * 3600) >= ${query.from}
        and to_timestamp((c ->> 0)::bigint * 3600) < ${query.to}
    )
    select case when dimension in ('total', 'blocked', 'critical') then bucket end as bucket,
      dimension, key, sum(n)::bigint as n
    from counts group by 1, 2, 3
  `.execute(db)
  return rows
}
