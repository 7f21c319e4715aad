import type pg from 'pg'
import { eventColumns } from '../../apps/server/src/modules/events/stored-event.ts'

const DAY_MS = 86_400_000
const DAYS = 30
/** In so many days once, so that a search for it has to walk through all the others. */
const RARE_EVERY_DAYS = 7

/** What a search looks for: values that a tenth of all events have, and ones that hardly any has. */
export const planted = {
  common: {
    type: 'request.blocked',
    module: 'shield',
    severity: 'INFO',
    ip: '10.0.0.1',
    userId: 'user-1',
  },
  rare: {
    type: 'rare.type',
    module: 'rare-module',
    severity: 'CRITICAL',
    ip: '203.0.113.77',
    userId: 'rare-user',
  },
  commonWord: 'checkout',
  rareWord: 'needle',
} as const

/**
 * Fills the day partitions of 30 days with about `count` events of these apps, half of them in the
 * first one, and the rollups with what they add up to. One day is invented and the others are
 * copies of it at their own time, all of it inside the database: ten million rows in minutes.
 */
export async function generateEvents(
  pool: pg.Pool,
  options: { readonly count: number; readonly appIds: readonly string[]; readonly now: number },
): Promise<void> {
  const { count, appIds, now } = options
  const today = Math.floor(now / DAY_MS)
  const rows = Math.round(count / (DAYS - 1 + (now % DAY_MS) / DAY_MS))
  const client = await pool.connect()
  try {
    await client.query(`set maintenance_work_mem = '512MB'; set work_mem = '256MB'`)
    await client.query('create unlogged table one_day (like events including defaults)')
    await client.query(insertInto('one_day'), [rows, appIds])
    for (let day = today - DAYS + 1; day <= today; day++) await fillDay(client, day, now)
    await client.query('drop table one_day')
  } finally {
    // With what was set for it, this connection is not for others.
    client.release(true)
  }
}

/** A table that is filled before it has an index, in one transaction with its birth, costs no log. */
async function fillDay(client: pg.PoolClient, day: number, now: number): Promise<void> {
  const start = new Date(day * DAY_MS)
  const end = new Date((day + 1) * DAY_MS)
  const name = `events_${start.toISOString().slice(0, 10).replaceAll('-', '')}`
  await client.query('begin')
  await client.query(`drop table if exists ${name}`)
  await client.query(`create table ${name} (like events including defaults)`)
  await client.query(copyInto(name), [day, now, day % RARE_EVERY_DAYS === 0])
  await client.query(
    `alter table events attach partition ${name}
     for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
  )
  await client.query(rollUpHours(name))
  await client.query(rollUpDay, [start])
  await client.query('commit')
  await client.query(`vacuum (analyze) ${name}`)
}

/** $1 the day, $2 now, $3 whether the one rare event is among them. */
const copyInto = (table: string): string => `
  insert into ${table} (${eventColumns.join(', ')})
  select app_id, 'evt_0' || lpad(upper(to_hex($1::bigint)), 12, '0') || right(id, 13),
    ts + $1::int * interval '1 day', received_at + $1::int * interval '1 day', type, module, severity,
    title, description, ip, user_id, country, city, asn, payload
  from one_day
  where ts + $1::int * interval '1 day' <= to_timestamp($2::bigint / 1000.0)
    and ($3::boolean or type <> '${planted.rare.type}')`

/** A power of a random number makes few values frequent and many rare, as traffic does. */
const pick = (values: readonly string[], power: number): string =>
  `(array[${values.map((value) => `'${value}'`).join()}])[1 + floor(${values.length} * power(random(), ${power}))::int]`

const types =
  'request.blocked request.allowed auth.login auth.failed auth.logout bot.blocked session.start session.end rate.blocked data.read'
    .split(' ')
    .concat(Array.from({ length: 30 }, (_, at) => `custom.event_${at}`))
const countries =
  'US DE FR GB IN BR JP CN KR CA AU NL ES IT SE PL TR MX ID VN RU UA ZA NG EG AR CL CO PE'
    .split(' ')
    .concat(
      'CH AT BE DK NO FI IE PT GR CZ RO HU IL SA AE SG MY TH PH TW HK NZ KE MA PK BD'.split(' '),
    )

/** $1 rows, $2 apps: the first day there ever was, its first event a rare one. */
const insertInto = (table: string): string => `
  insert into ${table} (app_id, id, ts, received_at, type, module, severity, title, description, ip,
    user_id, country, city, asn, payload)
  select
    case when rare or random() < 0.5 then ($2::text[])[1]
      else ($2::text[])[2 + floor(random() * (cardinality($2::text[]) - 1))::int] end,
    'evt_0' || upper(lpad(to_hex(i), 25, '0')),
    to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0),
    case when rare then '${planted.rare.type}' else ${pick(types, 2)} end,
    case when rare then '${planted.rare.module}'
      else ${pick(['shield', 'monitor', 'auth', 'vault', 'scanner', 'custom'], 1.7)} end,
    case when rare then '${planted.rare.severity}' when dice < 0.6 then 'INFO' when dice < 0.8 then 'LOW'
      when dice < 0.95 then 'MEDIUM' else 'HIGH' end,
    case when rare then 'A ${planted.rareWord} in the hay' else 'Request to /checkout/' || i % 1000 end,
    case when dice < 0.3 then 'The rule that matched is the one of number ' || i % 97 end,
    case when rare then '${planted.rare.ip}' else '10.' || visitor / 65536 || '.' || visitor / 256 % 256 || '.' || visitor % 256 end,
    case when rare then '${planted.rare.userId}' when dice < 0.6 then 'user-' || floor(power(100000, random()))::int end,
    case when dice < 0.9 then ${pick(countries, 2)} end,
    null, 64512 + i % 500,
    jsonb_build_object('path', '/checkout/' || i % 1000, 'method', 'POST', 'status', 200 + i % 7,
      'userAgent', 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/1' || i % 40)
      || case when dice > 0.9 then jsonb_build_object('attackType', 'attack_' || i % 12) else '{}' end
  from (
    select i, random() as dice, i = 1 as rare,
      floor(power(200000, random()))::int as visitor,
      (i - 1) * ${DAY_MS} / $1::bigint as ms
    from generate_series(1::bigint, $1::bigint) i
  ) series`

/** What folding the events of a partition would have counted, in one pass. */
const rollUpHours = (table: string): string => `
  insert into rollup_hour (app_id, hour, dimension, key, n)
  select app_id, bucket, counted.dimension, counted.key, counted.n from (
    select app_id, date_trunc('hour', ts, 'UTC') as bucket, type, module, severity, country, attack,
      grouping(type, module, severity, country, attack) as level, count(*) as n,
      count(*) filter (where type like '%.blocked') as blocked,
      count(*) filter (where severity = 'CRITICAL') as critical
    from (
      select app_id, ts, type, module, severity, country,
        coalesce(payload ->> 'attackType', case when module = 'shield' then type end) as attack
      from ${table}
    ) e
    group by app_id, date_trunc('hour', ts, 'UTC'),
      grouping sets ((), (type), (module), (severity), (country), (attack))
  ) grouped, lateral (values
    ('total', '', case when level = 31 then grouped.n end),
    ('blocked', '', case when level = 31 then nullif(grouped.blocked, 0) end),
    ('critical', '', case when level = 31 then nullif(grouped.critical, 0) end),
    ('type', type, case when level = 15 then grouped.n end),
    ('module', module, case when level = 23 then grouped.n end),
    ('severity', severity, case when level = 27 then grouped.n end),
    ('country', country, case when level = 29 then grouped.n end),
    ('attack', attack, case when level = 30 then grouped.n end)
  ) counted (dimension, key, n)
  where counted.n is not null and counted.key is not null`

const rollUpDay = `
  insert into rollup_day (app_id, day, dimension, key, n)
  select app_id, $1, dimension, key, sum(n) from rollup_hour
  where hour >= $1 and hour < $1::timestamptz + interval '1 day' group by 1, 3, 4`
