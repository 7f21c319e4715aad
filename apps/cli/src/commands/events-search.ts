import { severities } from '@merlon/base'
import type { Client, SecurityEvent } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { formatTable } from '../output/table.ts'
import { pastTime } from '../time.ts'
import { app, cursor, limit } from './shared-options.ts'

type Query = Parameters<Client['events']['searchEvents']>[0]['query']

const EVENTS_MAX = 1000
const PAGE_EVENTS = 100
/** A rare word makes for many empty pages; a search that long is better narrowed. */
const PAGES_MAX = 1000

export const eventsSearch = defineCommand({
  name: 'events search',
  summary: 'Search the events of an app, newest first',
  details:
    'Times are ISO dates, or how long ago: 30m, 24h, 7d. One page is one request; --all asks for\n' +
    'page after page until the end, or until --max events are there.',
  examples: [
    'events search --app app_01J… --severity CRITICAL --from 24h',
    'events search --app app_01J… --q "union select" --all --max 5000 --json',
  ],
  arguments: [],
  options: {
    app,
    type: { kind: 'text', value: 'type', summary: 'only this type' },
    module: { kind: 'text', value: 'module', summary: 'only this module' },
    severity: {
      kind: 'choice',
      value: 'severity',
      choices: severities,
      summary: 'only this severity',
    },
    ip: { kind: 'text', value: 'address', summary: 'only from this address' },
    user: { kind: 'text', value: 'userId', summary: 'only of this user' },
    from: { kind: 'text', value: 'time', summary: 'not older than this' },
    to: { kind: 'text', value: 'time', summary: 'not newer than this' },
    q: { kind: 'text', value: 'text', summary: 'a text in title, description or payload' },
    limit,
    cursor,
    all: { kind: 'flag', summary: 'go on from page to page' },
    max: { kind: 'count', value: 'count', summary: `at most so many with --all (${EVENTS_MAX})` },
  },
  run: async ({ client, host, out }, { options }) => {
    const { user, from, to, all, max } = options
    if (max !== undefined && !all) throw new UsageError('--max goes with --all.')
    const query = given({
      appId: options.app,
      type: options.type,
      module: options.module,
      severity: options.severity,
      ip: options.ip,
      userId: user,
      from: from === undefined ? undefined : pastTime(from, host.nowMs()),
      to: to === undefined ? undefined : pastTime(to, host.nowMs()),
      q: options.q,
      limit: options.limit ?? (all ? PAGE_EVENTS : undefined),
      cursor: options.cursor,
    })
    const { events, nextCursor } = await search(client(), query, all ? (max ?? EVENTS_MAX) : 0)
    out.result({ events, nextCursor }, () =>
      events.length === 0 ? 'No event.' : eventsTable(events),
    )
    if (nextCursor !== null && !out.json) {
      out.say(`There is more: add --cursor ${nextCursor} to the same search.`)
    }
    return exitCode.ok
  },
})

/** One page, or as many as it takes to come to `max`. The cursor is behind the last event shown. */
async function search(client: Client, query: Query, max: number) {
  const events: SecurityEvent[] = []
  let nextCursor = query.cursor ?? null
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const left = max - events.length
    const { data, meta } = await client.raw.events.searchEvents({
      query: {
        ...query,
        ...(nextCursor === null ? {} : { cursor: nextCursor }),
        ...(max === 0 ? {} : { limit: Math.min(query.limit ?? PAGE_EVENTS, left) }),
      },
    })
    events.push(...data)
    nextCursor = meta.nextCursor
    if (nextCursor === null || events.length >= max) break
  }
  return { events, nextCursor }
}

/** Without the filters that were not given. */
function given<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function eventsTable(events: readonly SecurityEvent[]): string {
  return formatTable(
    ['time', 'severity', 'type', 'ip', 'country', 'user', 'title'],
    events.map((event) => [
      event.timestamp,
      event.severity,
      event.type,
      event.ip ?? '-',
      event.country ?? '-',
      event.userId ?? '-',
      event.title,
    ]),
  )
}
