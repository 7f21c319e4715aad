import { createId } from '@merlon/base'
import { endpoints, type SecurityEvent } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { enqueueDelivery } from './deliver.job.ts'
import { insertDelivery } from './deliveries.repo.ts'
import { ownWebhook } from './own-webhook.ts'

/** Goes to this receiver alone, whatever its patterns, and is no event of the app. */
export const testWebhook = implement(
  endpoints.webhooks.testWebhook,
  async ({ caller, params, db, clock, audit }) => {
    const webhook = await ownWebhook(db, params.id, caller.accountId, { lock: true })
    const now = clock.now()
    const testEvent = eventAt(webhook.appId, now)
    const delivery = await insertDelivery(
      db,
      {
        appId: webhook.appId,
        webhookId: webhook.id,
        places: { ids: [testEvent.id], xids: [], from: null, until: null },
        testEvent,
      },
      now,
    )
    await enqueueDelivery(db, delivery, clock)
    audit({ target: params.id, after: { deliveryId: delivery.id } })
    return delivery
  },
)

function eventAt(appId: string, now: number): SecurityEvent {
  const at = new Date(now).toISOString()
  return {
    id: createId('event', now),
    appId,
    type: 'webhook.test',
    module: 'webhooks',
    severity: 'INFO',
    title: 'A test of this webhook',
    description: 'Sent because somebody asked for it; nothing happened.',
    ip: null,
    userId: null,
    country: null,
    city: null,
    asn: null,
    payload: null,
    timestamp: at,
    receivedAt: at,
  }
}
