import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { requireCallable } from './check-url.ts'
import { ownWebhook } from './own-webhook.ts'
import * as repo from './webhooks.repo.ts'

/** Switched on again, it sends what was waiting and hears of new events; what came in between is not sent. */
export const updateWebhook = implement(
  endpoints.webhooks.updateWebhook,
  async ({ caller, params, body, db, config, audit }) => {
    if (body.url !== undefined) requireCallable(body.url, config)
    const before = await ownWebhook(db, params.id, caller.accountId, { lock: true })
    const restart = body.enabled === true && !before.enabled
    const after = await repo.updateWebhook(db, params.id, { ...body, restart })
    audit({ target: params.id, before, after })
    return after
  },
)
