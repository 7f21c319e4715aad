import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyText } from './copy-text.ts'
import { countEvents } from './counts.ts'
import { eventColumns, isoTime, type StoredEvent } from './stored-event.ts'

/** Below this many rows one statement costs less than the round trips around a COPY. */
const COPY_FROM_ROWS = 100
const COPY = `copy events (${eventColumns.join(', ')}) from stdin`

/** A remembered request: a second one with the same key gets the first one's answer. */
export interface Remembered {
  readonly appId: string
  readonly key: string
  readonly bodyHash: Buffer
  readonly answerText: string
  readonly at: number
}

/**
 * Writes a batch in one transaction: the events, what the rollups have yet to count, what the
 * detectors have yet to see, and the ids by which a repeat is known. All of it or nothing.
 */
export async function storeBatch(
  client: pg.PoolClient,
  events: readonly StoredEvent[],
  remembered: readonly Remembered[],
): Promise<void> {
  const repeatable = events.some((event) => event.clientId !== null)
  if (!repeatable && remembered.length === 0 && events.length < COPY_FROM_ROWS) {
    await client.query(insertStatement(events))
    return
  }
  await client.query('begin')
  try {
    if (remembered.length > 0) await client.query(rememberStatement(remembered))
    const fresh = repeatable ? await withoutRepeats(client, events) : events
    await writeFresh(client, fresh)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Writes inside a transaction that the caller holds. */
export async function writeFresh(
  client: pg.PoolClient,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return
  if (events.length < COPY_FROM_ROWS) {
    await client.query(insertStatement(events))
    return
  }
  const copy = client.query(copyFrom(COPY))
  copy.end(copyText(events.filter((event) => event.kept)))
  await finished(copy)
  await client.query(logStatement(events))
}

/** A list of lists as JSON text, in the order of `eventColumns`; the payload is JSON already. */
function rowsText(events: readonly StoredEvent[]): string {
  let text = '['
  for (const e of events) {
    if (!e.kept) continue
    if (text.length > 1) text += ','
    text +=
      `["${e.appId}","${e.id}","${isoTime(e.at)}","${isoTime(e.receivedAt)}",${quote(e.type)},` +
      `${quote(e.module)},"${e.severity}",${quote(e.title)},${quote(e.description)},${quote(e.ip)},` +
      `${quote(e.userId)},${quote(e.country)},${quote(e.city)},${e.asn},${e.payloadText}]`
  }
  return `${text}]`
}

function quote(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text)
}

function insertStatement(events: readonly StoredEvent[]): pg.QueryConfig {
  const log = logValues(events)
  return {
    name: 'events-insert',
    text: `
      with written as (
        insert into events (${eventColumns.join(', ')})
        select r ->> 0, r ->> 1, (r ->> 2)::timestamptz, (r ->> 3)::timestamptz, r ->> 4, r ->> 5,
          r ->> 6, r ->> 7, r ->> 8, r ->> 9, r ->> 10, r ->> 11, r ->> 12, (r ->> 13)::bigint,
          nullif(r -> 14, 'null'::jsonb)
        from jsonb_array_elements($1::jsonb) r
      ), logged as (${LOG_SQL(2)})
      ${INBOX_SQL(4)}`,
    values: [rowsText(events), ...log],
  }
}

const LOG_SQL = (at: number): string =>
  `insert into ingest_log (app_id, counts) select * from unnest($${at}::text[], $${at + 1}::jsonb[])`
const INBOX_SQL = (at: number): string =>
  `insert into detection_inbox (app_id, event) select * from unnest($${at}::text[], $${at + 1}::jsonb[])`

function logStatement(events: readonly StoredEvent[]): pg.QueryConfig {
  return {
    name: 'events-log',
    text: `with logged as (${LOG_SQL(1)}) ${INBOX_SQL(3)}`,
    values: logValues(events),
  }
}

function logValues(events: readonly StoredEvent[]): [string[], string[], string[], string[]] {
  const counts = [...countEvents(events.filter((event) => event.kept))]
  const inbox = events.filter((event) => event.inbox !== null)
  return [
    counts.map(([appId]) => appId),
    counts.map(([, count]) => JSON.stringify(count)),
    inbox.map((event) => event.appId),
    inbox.map((event) => JSON.stringify(event.inbox)),
  ]
}

/** Claims the client's ids; an event whose id is taken already, before or within the batch, is left out. */
async function withoutRepeats(
  client: pg.PoolClient,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const named = events.filter((event) => event.clientId !== null)
  const { rows } = await client.query<{ app_id: string; client_id: string }>({
    name: 'events-claim-ids',
    // Sorted, so that two nodes that claim the same ids do not wait for each other in a circle.
    text: `insert into event_client_ids (app_id, client_id, seen_at)
      select distinct on (app_id, client_id) app_id, client_id, seen_at
      from unnest($1::text[], $2::text[], $3::timestamptz[]) as r (app_id, client_id, seen_at)
      order by app_id, client_id
      on conflict do nothing returning app_id, client_id`,
    values: [
      named.map((event) => event.appId),
      named.map((event) => event.clientId),
      named.map((event) => new Date(event.receivedAt).toISOString()),
    ],
  })
  const fresh = new Set(rows.map((row) => `${row.app_id} ${row.client_id}`))
  // delete() answers true once for each claimed id: of two equal ones in a batch the first stays.
  return events.filter(
    (event) => event.clientId === null || fresh.delete(`${event.appId} ${event.clientId}`),
  )
}

function rememberStatement(remembered: readonly Remembered[]): pg.QueryConfig {
  return {
    name: 'events-remember',
    text: `insert into idempotency_keys (app_id, key, body_hash, answer, created_at)
      select * from unnest($1::text[], $2::text[], $3::bytea[], $4::jsonb[], $5::timestamptz[])`,
    values: [
      remembered.map((one) => one.appId),
      remembered.map((one) => one.key),
      remembered.map((one) => one.bodyHash),
      remembered.map((one) => one.answerText),
      remembered.map((one) => new Date(one.at).toISOString()),
    ],
  }
}
