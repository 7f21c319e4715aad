import type { Webhook } from '@merlon/contract'
import { createId } from '@merlon/base'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Keyring } from '../../secrets/keyring.ts'

const columns = [
  'id',
  'app_id',
  'url',
  'events',
  'enabled',
  'description',
  'consecutive_failures',
  'last_success_at',
  'created_at',
] as const

interface Row {
  id: string
  app_id: string
  url: string
  events: string[]
  enabled: boolean
  description: string | null
  consecutive_failures: number
  last_success_at: Date | null
  created_at: Date
}

function toWebhook(row: Row): Webhook {
  return {
    id: row.id,
    appId: row.app_id,
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    description: row.description,
    consecutiveFailures: row.consecutive_failures,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

/** Behind everything that is visible now: what is stored from here on is still to be read. */
const fromNowOn = {
  position_xid: sql<string>`pg_snapshot_xmin(pg_current_snapshot())`,
  position_id: '',
  since_snapshot: sql<string>`pg_current_snapshot()::text`,
}

export async function listWebhooks(db: Db, appId: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(columns)
    .where('app_id', '=', appId)
    .orderBy('id')
    .execute()
  return rows.map(toWebhook)
}

/**
 * How many webhooks the app has, with its row locked until the transaction ends: two that are
 * created at once are counted one after the other. Undefined when the app was deleted meanwhile.
 */
export async function countForInsert(db: Db, appId: string): Promise<number | undefined> {
  const app = await db
    .selectFrom('apps')
    .select('id')
    .where('id', '=', appId)
    .forUpdate()
    .executeTakeFirst()
  if (app === undefined) return undefined
  const { n } = await db
    .selectFrom('webhooks')
    .select((all) => all.fn.countAll<number>().as('n'))
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow()
  return n
}

export async function insertWebhook(
  db: Db,
  keyring: Keyring,
  input: {
    readonly appId: string
    readonly url: string
    readonly events: readonly string[]
    readonly secret: string
    readonly description: string | null
  },
  now: number,
): Promise<Webhook> {
  const id = createId('webhook', now)
  const row = await db
    .insertInto('webhooks')
    .values({
      id,
      app_id: input.appId,
      url: input.url,
      events: [...input.events],
      secret_sealed: keyring.seal(id, input.secret),
      description: input.description,
      ...fromNowOn,
      created_at: new Date(now),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toWebhook(row)
}

/** With the account that owns its app. With `lock`, nobody else changes it until the transaction ends. */
export async function findWebhook(
  db: Db,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<(Webhook & { readonly accountId: string }) | undefined> {
  const query = db
    .selectFrom('webhooks')
    .innerJoin('apps', 'apps.id', 'webhooks.app_id')
    .select(columns.map((column) => `webhooks.${column}` as const))
    .select('apps.account_id')
    .where('webhooks.id', '=', id)
  const row = await (lock ? query.forUpdate('webhooks') : query).executeTakeFirst()
  return row && { ...toWebhook(row), accountId: row.account_id }
}

export interface WebhookChange {
  readonly url?: string
  readonly events?: readonly string[]
  readonly enabled?: boolean
  readonly description?: string | null
  /** Begins anew: failures are forgotten, and what happened while it was off is not sent. */
  readonly restart: boolean
}

export async function updateWebhook(db: Db, id: string, change: WebhookChange): Promise<Webhook> {
  const row = await db
    .updateTable('webhooks')
    .set({
      // The id itself, so that there is something to set when nothing is named.
      id,
      ...(change.url === undefined
        ? {}
        : { url: change.url, consecutive_failures: 0, paused_until: null }),
      ...(change.events === undefined ? {} : { events: [...change.events] }),
      ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.restart ? { consecutive_failures: 0, paused_until: null, ...fromNowOn } : {}),
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toWebhook(row)
}

export async function deleteWebhook(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** The receiver took a delivery: new events need not wait any more. */
export async function noteSuccess(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ consecutive_failures: 0, paused_until: null, last_success_at: now })
    .where('id', '=', id)
    .execute()
}

export async function noteFailure(
  db: Db,
  id: string,
  { now, pauseMs }: { readonly now: number; readonly pauseMs: (failures: number) => number },
): Promise<void> {
  const row = await db
    .updateTable('webhooks')
    .set((set) => ({ consecutive_failures: set('consecutive_failures', '+', 1) }))
    .where('id', '=', id)
    .returning('consecutive_failures')
    .executeTakeFirst()
  if (row === undefined) return
  await db
    .updateTable('webhooks')
    .set({ paused_until: new Date(now + pauseMs(row.consecutive_failures)) })
    .where('id', '=', id)
    .execute()
}

export async function switchOff(db: Db, id: string): Promise<void> {
  await db.updateTable('webhooks').set({ enabled: false }).where('id', '=', id).execute()
}
