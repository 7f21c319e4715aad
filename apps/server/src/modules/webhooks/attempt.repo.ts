import { toSecurityEvent } from '../events/index.ts'
import type { SecurityEvent } from '@merlon/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Everything that one attempt at a delivery needs to know. */
export interface DueDelivery {
  readonly id: string
  readonly appId: string
  readonly webhookId: string
  readonly attempts: number
  readonly url: string
  readonly secretSealed: Buffer
  readonly enabled: boolean
  /** Id and time of the first delivery of this body. */
  readonly bodyId: string
  readonly bodyCreatedAt: Date
  readonly eventIds: readonly string[]
  readonly eventXids: readonly string[]
  readonly eventsFrom: Date | null
  readonly eventsUntil: Date | null
  readonly testEvent: SecurityEvent | null
}

/** Undefined when the delivery is settled, has had this attempt already, or is gone. */
export async function findDue(
  db: Db,
  id: string,
  attempts: number,
): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    select d.id, d.app_id as "appId", d.webhook_id as "webhookId", d.attempts, w.url,
      w.secret_sealed as "secretSealed", w.enabled,
      coalesce(d.replay_of, d.id) as "bodyId",
      coalesce(o.created_at, d.created_at) as "bodyCreatedAt",
      d.event_ids as "eventIds", d.event_xids as "eventXids",
      d.events_from as "eventsFrom", d.events_until as "eventsUntil", d.test_event as "testEvent"
    from webhook_deliveries d
    join webhooks w on w.id = d.webhook_id
    left join webhook_deliveries o on o.id = d.replay_of
    where d.id = ${id} and d.status = 'pending' and d.attempts = ${attempts}
  `.execute(db)
  return rows[0]
}

/** In the order in which they were found; those that were erased or have expired are missing. */
export async function readEvents(db: Db, due: DueDelivery): Promise<readonly SecurityEvent[]> {
  const { rows } = await sql<Parameters<typeof toSecurityEvent>[0]>`
    select e.app_id, e.id, e.ts, e.received_at, e.type, e.module, e.severity, e.title,
      e.description, e.ip, e.user_id, e.country, e.city, e.asn, e.payload
    from unnest(${[...due.eventXids]}::text[]::xid8[], ${[...due.eventIds]}::text[])
      with ordinality as place (xid, id, n)
    join events e on e.app_id = ${due.appId} and e.xid = place.xid and e.id = place.id
      and e.ts >= ${due.eventsFrom} and e.ts <= ${due.eventsUntil}
    order by place.n
  `.execute(db)
  return rows.map(toSecurityEvent)
}

export interface Settlement {
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly responseStatus: number | null
  readonly error: string | null
  readonly nextAttemptAt: Date | null
  readonly now: Date
}

/** False when somebody else has settled the same attempt. */
export async function settleAttempt(
  db: Db,
  { id, attempts }: Pick<DueDelivery, 'id' | 'attempts'>,
  settlement: Settlement,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({
      attempts: attempts + 1,
      status: settlement.status,
      response_status: settlement.responseStatus,
      error: settlement.error,
      next_attempt_at: settlement.nextAttemptAt,
      delivered_at: settlement.status === 'delivered' ? settlement.now : null,
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Its webhook is switched off: the delivery waits, without a time, until that is on again. */
export async function park(
  db: Db,
  { id, attempts }: Pick<DueDelivery, 'id' | 'attempts'>,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: null })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .execute()
}

const UNPARK_MAX = 100

/**
 * What waits although its webhook is on. It does not matter how that came about, so no order of
 * switching and attempting can leave a delivery behind.
 */
export async function unpark(
  db: Db,
  now: Date,
): Promise<readonly Pick<DueDelivery, 'id' | 'attempts'>[]> {
  const { rows } = await sql<{ id: string; attempts: number }>`
    update webhook_deliveries set next_attempt_at = ${now} where id = any (array(
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.enabled
      where d.status = 'pending' and d.next_attempt_at is null
      order by d.id limit ${UNPARK_MAX} for update of d skip locked
    )) returning id, attempts
  `.execute(db)
  return rows
}
