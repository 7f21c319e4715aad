import type { Webhook } from '@merlon/contract'
import type { Db } from '../../db/database.ts'
import { notFound, problem, required } from '../../http/problem.ts'
import { findWebhook } from './webhooks.repo.ts'

/** The webhook, if it belongs to an app of the caller's account. */
export async function ownWebhook(
  db: Db,
  id: string,
  accountId: string,
  options: { readonly lock: boolean },
): Promise<Webhook> {
  const { accountId: owner, ...webhook } = required(
    await findWebhook(db, id, options),
    notFound('Webhook', id),
  )
  if (owner !== accountId) throw problem('forbidden', `Webhook ${id} belongs to another account.`)
  return webhook
}
