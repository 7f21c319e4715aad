import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { ownWebhook } from './own-webhook.ts'
import { enqueueLogDeletion } from './prune-deliveries.job.ts'
import * as repo from './webhooks.repo.ts'

export const deleteWebhook = implement(
  endpoints.webhooks.deleteWebhook,
  async ({ caller, params, db, clock, audit }) => {
    const before = await ownWebhook(db, params.id, caller.accountId, { lock: true })
    await repo.deleteWebhook(db, params.id)
    await enqueueLogDeletion(db, params.id, clock)
    audit({ target: params.id, before })
    return { id: params.id }
  },
)
