import type pg from 'pg'

/** Numbers of an app's events as they lie in the table. */
export async function storedNumbers(
  pool: pg.Pool,
  appId: string,
): Promise<{ rows: number; distinct: Set<number> }> {
  const { rows } = await pool.query<{ n: number }>(
    `select (payload ->> 'n')::int as n from events where app_id = $1`,
    [appId],
  )
  return { rows: rows.length, distinct: new Set(rows.map((row) => row.n)) }
}

/** The rollups of an app with what has not been folded yet, as sorted lines; one state of the database. */
export async function countedLines(
  pool: pg.Pool,
  appId: string,
  unit: 'hour' | 'day',
): Promise<readonly string[]> {
  return lines(
    pool,
    `select bucket, dimension, key, sum(n) as n from (
       select ${unit} as bucket, dimension, key, n from rollup_${unit} where app_id = $1
       union all
       select date_trunc('${unit}', to_timestamp((c ->> 0)::bigint * 3600), 'UTC'), c ->> 1, c ->> 2, (c ->> 3)::bigint
       from ingest_log, jsonb_array_elements(counts) c where app_id = $1
     ) both_ group by 1, 2, 3`,
    appId,
  )
}

/** The same figures counted anew from the events themselves, each dimension by a query of its own. */
export async function recountedLines(
  pool: pg.Pool,
  appId: string,
  unit: 'hour' | 'day',
): Promise<readonly string[]> {
  const dimension = (name: string, key: string, where: string): string =>
    `select date_trunc('${unit}', ts, 'UTC') as bucket, '${name}' as dimension, ${key} as key, count(*) as n
     from events where app_id = $1 and ${where} group by 1, 2, 3`
  const attack = `coalesce(payload ->> 'attackType', case when module = 'shield' then type end)`
  return lines(
    pool,
    [
      dimension('total', `''`, 'true'),
      dimension('blocked', `''`, `right(type, 8) = '.blocked'`),
      dimension('critical', `''`, `severity = 'CRITICAL'`),
      dimension('type', 'type', 'true'),
      dimension('module', 'module', 'true'),
      dimension('severity', 'severity', 'true'),
      dimension('country', 'country', 'country is not null'),
      dimension('attack', attack, `${attack} is not null`),
    ].join(' union all '),
    appId,
  )
}

async function lines(pool: pg.Pool, sql: string, appId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ bucket: Date; dimension: string; key: string; n: string }>(
    sql,
    [appId],
  )
  return rows
    .map(({ bucket, dimension, key, n }) => `${bucket.toISOString()} ${dimension} ${key} ${n}`)
    .toSorted()
}
