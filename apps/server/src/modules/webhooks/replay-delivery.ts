import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import { enqueueDelivery } from './deliver.job.ts'
import { findContents, insertDelivery } from './deliveries.repo.ts'
import { ownWebhook } from './own-webhook.ts'

/** A delivery of its own with the body of the first, in which the first one's id still stands. */
export const replayDelivery = implement(
  endpoints.webhooks.replayDelivery,
  async ({ caller, params, db, clock, audit }) => {
    const webhook = await ownWebhook(db, params.id, caller.accountId, { lock: true })
    const original = required(
      await findContents(db, webhook.id, params.deliveryId),
      notFound('Delivery', params.deliveryId),
    )
    const delivery = await insertDelivery(
      db,
      {
        appId: webhook.appId,
        webhookId: webhook.id,
        places: original.places,
        replayOf: original.replayOf ?? original.id,
        ...(original.testEvent === null ? {} : { testEvent: original.testEvent }),
      },
      clock.now(),
    )
    await enqueueDelivery(db, delivery, clock)
    audit({ target: params.deliveryId, after: { deliveryId: delivery.id } })
    return delivery
  },
)
