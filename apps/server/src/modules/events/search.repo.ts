import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import { searchWindows, type Window } from './search-windows.ts'
import { eventColumns, type EventRow } from './stored-event.ts'

export interface Position {
  readonly at: Date
  readonly id: string
}

export interface Search {
  readonly appId: string
  readonly now: number
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
  const newestOf = (window: Window): RawBuilder<unknown> => {
    const conditions = [...within]
    if (window.from !== undefined) conditions.push(sql`ts >= ${window.from}`)
    if (window.below !== undefined) conditions.push(sql`ts < ${window.below}`)
    return sql`select ${columns} from events where ${sql.join(conditions, sql` and `)} order by ts desc, id desc`
  }
  const windows = searchWindows(search.now, {
    from: search.from,
    upTo: earlier(search.to, search.before?.at),
  })
  if (looks.length === 0) return findNewest(db, windows, newestOf, search.limit)
  return scanNewest(db, windows, newestOf, {
    matches: sql.join(looks, sql` and `),
    scanMax: search.text === undefined ? SCAN_MAX : TEXT_SCAN_MAX,
    limit: search.limit,
  })
}

type NewestOf = (window: Window) => RawBuilder<unknown>

async function findNewest(
  db: Db,
  windows: Iterable<Window>,
  newestOf: NewestOf,
  limit: number,
): Promise<Found> {
  const found: EventRow[] = []
  for (const window of windows) {
    const wanted = limit + 1 - found.length
    const { rows } = await sql<EventRow>`${newestOf(window)} limit ${wanted}`.execute(db)
    found.push(...rows)
    if (found.length > limit) break
  }
  return page(found, limit)
}

/** Looks at the newest events one by one, at so many of them in all. */
async function scanNewest(
  db: Db,
  windows: Iterable<Window>,
  newestOf: NewestOf,
  { matches, scanMax, limit }: { matches: RawBuilder<unknown>; scanMax: number; limit: number },
): Promise<Found> {
  const found: EventRow[] = []
  let left = scanMax
  for (const window of windows) {
    const { rows } = await sql<EventRow & { rank: number; scanned: number; matches: boolean }>`
      with scanned as materialized (
        select *, row_number() over () as rank, count(*) over () as scanned
        from (${newestOf(window)} limit ${left}) newest
      ), judged as (
        select *, (${matches}) as matches from scanned
      )
      select * from judged where matches or rank = scanned
      order by ts desc, id desc limit ${limit + 2 - found.length}
    `.execute(db)
    found.push(...rows.filter((row) => row.matches))
    if (found.length > limit) break
    left -= rows[0]?.scanned ?? 0
    // The page is not full, but the search stops at its bound: it goes on behind the last row seen.
    if (left === 0) return { rows: found, next: positionOf(rows.at(-1)) }
  }
  return page(found, limit)
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

function page(rows: readonly EventRow[], limit: number): Found {
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? positionOf(shown.at(-1)) : undefined }
}

function positionOf(row: EventRow | undefined): Position | undefined {
  return row && { at: row.ts, id: row.id }
}
