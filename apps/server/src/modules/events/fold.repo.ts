import type pg from 'pg'

/** Any fixed number: two nodes that fold at once would wait for each other's rows. */
const LOCK = 7_262_004
const BATCH = 500
/** Distinct keys of a dimension that a day keeps apart; a flood of invented types ends up in one. */
const KEYS_MAX = 200
export const OTHER_KEY = '(other)'

/**
 * Moves a batch of the ingest log into the rollups, in one statement: what is taken from the log is
 * added to the counts or neither happens. Answers how many log rows it took.
 */
export async function foldOnce(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ taken: number }>({ name: 'events-fold', text: FOLD })
  return Number(rows[0]?.taken ?? 0)
}

/** Whether everything has been counted, also by another node whose statement is not over. */
export async function isLogEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ empty: boolean }>(
    'select not exists (select from ingest_log) as empty',
  )
  return rows[0]?.empty === true
}

const FOLD = `
  with permission as materialized (select pg_try_advisory_xact_lock(${LOCK}) as given),
  taken as (
    delete from ingest_log where id in (
      select id from ingest_log where (select given from permission) order by id limit ${BATCH}
    ) returning app_id, counts
  ),
  flat as materialized (
    select app_id, to_timestamp((c ->> 0)::bigint * 3600) as hour,
      date_trunc('day', to_timestamp((c ->> 0)::bigint * 3600), 'UTC') as day,
      c ->> 1 as dimension, c ->> 2 as key, sum((c ->> 3)::bigint) as n
    from taken, jsonb_array_elements(counts) c group by 1, 2, 3, 4, 5
  ),
  unknown as (
    select f.app_id, f.day, f.dimension, f.key, sum(f.n) as n from flat f
    left join rollup_day r using (app_id, day, dimension, key)
    where r.key is null and f.dimension in ('type', 'module', 'attack', 'country')
    group by 1, 2, 3, 4
  ),
  crowd as (
    select u.app_id, u.day, u.dimension, (
      select count(*) from rollup_day r
      where r.app_id = u.app_id and r.day = u.day and r.dimension = u.dimension
    ) as known
    from (select distinct app_id, day, dimension from unknown) u
  ),
  excess as (
    select app_id, day, dimension, key from (
      select u.*, c.known, row_number() over (
        partition by app_id, day, dimension order by u.n desc, u.key) as rank
      from unknown u join crowd c using (app_id, day, dimension)
    ) ranked where known + rank > ${KEYS_MAX}
  ),
  bounded as materialized (
    select f.app_id, f.hour, f.day, f.dimension,
      case when e.key is null then f.key else '${OTHER_KEY}' end as key, sum(f.n) as n
    from flat f left join excess e using (app_id, day, dimension, key)
    -- An app that was deleted meanwhile must not leave counts behind.
    where exists (select 1 from apps where apps.id = f.app_id)
    group by 1, 2, 3, 4, 5
  ),
  hours as (
    insert into rollup_hour (app_id, hour, dimension, key, n)
    select app_id, hour, dimension, key, n from bounded order by 1, 2, 3, 4
    on conflict (app_id, hour, dimension, key) do update set n = rollup_hour.n + excluded.n
  ),
  days as (
    insert into rollup_day (app_id, day, dimension, key, n)
    select app_id, day, dimension, key, sum(n) from bounded group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (app_id, day, dimension, key) do update set n = rollup_day.n + excluded.n
  )
  select count(*)::int as taken from taken`
