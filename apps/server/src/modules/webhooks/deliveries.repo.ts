import type { SecurityEvent, WebhookDelivery } from '@merlon/contract'
import { createId } from '@merlon/base'
import type { Db } from '../../db/database.ts'

const columns = [
  'id',
  'webhook_id',
  'status',
  'attempts',
  'event_ids',
  'replay_of',
  'response_status',
  'error',
  'next_attempt_at',
  'delivered_at',
  'created_at',
] as const

interface Row {
  id: string
  webhook_id: string
  status: string
  attempts: number
  event_ids: string[]
  replay_of: string | null
  response_status: number | null
  error: string | null
  next_attempt_at: Date | null
  delivered_at: Date | null
  created_at: Date
}

export type DeliveryStatus = WebhookDelivery['status']

function toDelivery(row: Row): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    eventIds: row.event_ids,
    replayOf: row.replay_of,
    responseStatus: row.response_status,
    error: row.error,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

/** Where the events of a delivery are stored; their times tell in which partitions. */
export interface EventPlaces {
  readonly ids: readonly string[]
  readonly xids: readonly string[]
  readonly from: Date | null
  readonly until: Date | null
}

/** The caller holds a lock on the webhook's row, so that none is added to one that is gone. */
export async function insertDelivery(
  db: Db,
  input: {
    readonly appId: string
    readonly webhookId: string
    readonly places: EventPlaces
    readonly testEvent?: SecurityEvent
    readonly replayOf?: string
  },
  now: number,
): Promise<WebhookDelivery> {
  const row = await db
    .insertInto('webhook_deliveries')
    .values({
      id: createId('delivery', now),
      app_id: input.appId,
      webhook_id: input.webhookId,
      event_ids: [...input.places.ids],
      event_xids: [...input.places.xids],
      events_from: input.places.from,
      events_until: input.places.until,
      test_event: input.testEvent === undefined ? null : JSON.stringify(input.testEvent),
      replay_of: input.replayOf ?? null,
      next_attempt_at: new Date(now),
      created_at: new Date(now),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toDelivery(row)
}

export interface DeliveryContents {
  readonly id: string
  readonly replayOf: string | null
  readonly places: EventPlaces
  readonly testEvent: SecurityEvent | null
}

export async function findContents(
  db: Db,
  webhookId: string,
  id: string,
): Promise<DeliveryContents | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'replay_of', 'event_ids', 'event_xids', 'events_from', 'events_until'])
    .select('test_event')
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      replayOf: row.replay_of,
      places: {
        ids: row.event_ids,
        xids: row.event_xids,
        from: row.events_from,
        until: row.events_until,
      },
      testEvent: row.test_event as unknown as SecurityEvent | null,
    }
  )
}

export async function listDeliveries(
  db: Db,
  webhookId: string,
  {
    limit,
    before,
    status,
  }: { readonly limit: number; readonly before?: string; readonly status?: DeliveryStatus },
): Promise<WebhookDelivery[]> {
  let query = db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('id', '<', before)
  if (status !== undefined) query = query.where('status', '=', status)
  return (await query.execute()).map(toDelivery)
}
