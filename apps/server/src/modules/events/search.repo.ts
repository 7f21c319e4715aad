import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import { eventColumns, type EventRow } from './stored-event.ts'

export interface Position {
  readonly at: Date
  readonly id: string
}

export interface Search {
  readonly appId: string
  readonly type?: string
  readonly module?: string
  readonly severity?: string
  readonly ip?: string
  readonly userId?: string
  readonly from?: Date
  readonly to?: Date
  readonly text?: string
  readonly before?: Position
  readonly limit: number
}

export interface Found {
  readonly rows: readonly EventRow[]
  /** Where to go on; undefined when there is nothing older. */
  readonly next: Position | undefined
}

/** How many events a search may look at for one page, where no index answers all of its filters. */
const SCAN_MAX = 20_000
/** Looking into the text of an event costs about ten times as much. */
const TEXT_SCAN_MAX = 3_000

/** Most selective first: the first filter that is given picks the index, the others look at its rows. */
const indexed = ['userId', 'ip', 'type', 'severity', 'module'] as const
const columnOf = {
  userId: 'user_id',
  ip: 'ip',
  type: 'type',
  severity: 'severity',
  module: 'module',
} as const

export async function searchEvents(db: Db, search: Search): Promise<Found> {
  const given = indexed.filter((name) => search[name] !== undefined)
  const [first, ...others] = given
  const equals = (name: (typeof indexed)[number]): RawBuilder<unknown> =>
    sql`${sql.ref(columnOf[name])} = ${search[name]}`
  const within: RawBuilder<unknown>[] = [sql`app_id = ${search.appId}`]
  if (first !== undefined) within.push(equals(first))
  if (search.from !== undefined) within.push(sql`ts >= ${search.from}`)
  if (search.to !== undefined) within.push(sql`ts <= ${search.to}`)
  if (search.before !== undefined) {
    // The first condition alone lets whole days be left out, the second is exact.
    within.push(
      sql`ts <= ${search.before.at}`,
      sql`(ts, id) < (${search.before.at}, ${search.before.id})`,
    )
  }
  const looks: RawBuilder<unknown>[] = others.map(equals)
  if (search.text !== undefined) {
    // Both sides are made small by the database: it and JavaScript differ beyond ASCII.
    const contains = (where: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
      sql`strpos(lower(${where}), lower(${text}::text)) > 0`
    // In the text of a payload a quote or a line break stands as its escape.
    const escaped = JSON.stringify(search.text).slice(1, -1)
    looks.push(
      sql`(${contains(sql`concat_ws(' ', title, description)`, search.text)} or coalesce(${contains(sql`payload::text`, escaped)}, false))`,
    )
  }
  const columns = sql.join(eventColumns.map((column) => sql.ref(column)))
  const newest = sql`select ${columns} from events where ${sql.join(within, sql` and `)} order by ts desc, id desc`
  if (looks.length === 0) {
    const { rows } = await sql<EventRow>`${newest} limit ${search.limit + 1}`.execute(db)
    return page(rows, search.limit)
  }
  const scanMax = search.text === undefined ? SCAN_MAX : TEXT_SCAN_MAX
  const { rows } = await sql<EventRow & { last: boolean; matches: boolean }>`
    with scanned as materialized (
      select *, row_number() over () = ${scanMax} as last from (${newest} limit ${scanMax}) newest
    ), judged as (
      select *, (${sql.join(looks, sql` and `)}) as matches from scanned
    )
    select * from judged where matches or last order by ts desc, id desc limit ${search.limit + 1}
  `.execute(db)
  return pageOfScan(rows, search.limit)
}

function page(rows: readonly EventRow[], limit: number): Found {
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? positionOf(shown.at(-1)) : undefined }
}

function pageOfScan(
  rows: readonly (EventRow & { last: boolean; matches: boolean })[],
  limit: number,
): Found {
  const matching = rows.filter((row) => row.matches)
  if (matching.length > limit) return page(matching, limit)
  // The page is not full, but the search stopped at its bound: it goes on behind the last row seen.
  return { rows: matching, next: positionOf(rows.find((row) => row.last)) }
}

function positionOf(row: EventRow | undefined): Position | undefined {
  return row && { at: row.ts, id: row.id }
}
