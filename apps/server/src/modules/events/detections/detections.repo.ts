import type pg from 'pg'
import { DETECTOR_LOCK } from './detector-lock.repo.ts'
import type { InboxEntry } from './inbox-entry.ts'

const BATCH = 500

export interface InboxRow {
  readonly appId: string
  readonly entry: InboxEntry
}

export interface StateKey {
  readonly appId: string
  readonly kind: string
  readonly key: string
}

/**
 * Takes the oldest entries away, without those of deleted apps; with the transaction they come back
 * if it fails. The apps are held before the entries are touched, in the order in which a deletion
 * goes: whoever took them the other way round could wait for it in a circle.
 */
export async function takeInbox(
  client: pg.PoolClient,
): Promise<{ readonly seen: number; readonly rows: readonly InboxRow[] }> {
  const lock = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock($1) as free',
    [DETECTOR_LOCK],
  )
  if (lock.rows[0]?.free !== true) return { seen: 0, rows: [] }
  const oldest = await client.query<{ id: number; app_id: string }>({
    name: 'detections-oldest',
    text: `select id, app_id from detection_inbox order by id limit ${BATCH}`,
  })
  if (oldest.rows.length === 0) return { seen: 0, rows: [] }
  const living = await holdApps(client, [...new Set(oldest.rows.map((row) => row.app_id))])
  const taken = await client.query<{ id: number; app_id: string; event: InboxEntry }>({
    name: 'detections-take',
    text: 'delete from detection_inbox where id = any($1::bigint[]) returning id, app_id, event',
    values: [oldest.rows.map((row) => row.id)],
  })
  const rows = taken.rows
    .filter((row) => living.has(row.app_id))
    .toSorted((a, b) => a.id - b.id)
    .map((row) => ({ appId: row.app_id, entry: row.event }))
  return { seen: oldest.rows.length, rows }
}

/** Those of the apps that exist; none is deleted before the end of the transaction. */
async function holdApps(client: pg.PoolClient, appIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    'select id from apps where id = any($1) order by id for key share',
    [appIds],
  )
  return new Set(rows.map((row) => row.id))
}

export async function loadStates(
  client: pg.PoolClient,
  keys: readonly StateKey[],
): Promise<Map<string, unknown>> {
  const { rows } = await client.query<{
    app_id: string
    kind: string
    key: string
    state: unknown
  }>({
    name: 'detections-load',
    text: `select s.app_id, s.kind, s.key, s.state from detection_state s
      join unnest($1::text[], $2::text[], $3::text[]) as wanted (app_id, kind, key)
      using (app_id, kind, key)`,
    values: [keys.map((k) => k.appId), keys.map((k) => k.kind), keys.map((k) => k.key)],
  })
  return new Map(
    rows.map((row) => [stateId({ appId: row.app_id, kind: row.kind, key: row.key }), row.state]),
  )
}

export async function saveStates(
  client: pg.PoolClient,
  states: readonly { readonly key: StateKey; readonly state: unknown }[],
  now: number,
): Promise<void> {
  if (states.length === 0) return
  await client.query({
    name: 'detections-save',
    text: `insert into detection_state (app_id, kind, key, state, updated_at)
      select r.app_id, r.kind, r.key, r.state, $5
      from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[]) as r (app_id, kind, key, state)
      on conflict (app_id, kind, key) do update set state = excluded.state, updated_at = excluded.updated_at`,
    values: [
      states.map(({ key }) => key.appId),
      states.map(({ key }) => key.kind),
      states.map(({ key }) => key.key),
      states.map(({ state }) => JSON.stringify(state)),
      new Date(now).toISOString(),
    ],
  })
}

/** Whether anything waits, or is being looked at by somebody whose transaction is not over. */
export async function isInboxEmpty(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ empty: boolean }>(
    'select not exists (select from detection_inbox) as empty',
  )
  return rows[0]?.empty === true
}

export function stateId(key: StateKey): string {
  return JSON.stringify([key.appId, key.kind, key.key])
}
