import { idPattern } from '@merlon/base'
import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import * as repo from './deliveries.repo.ts'
import { ownWebhook } from './own-webhook.ts'

const DELIVERY_ID = new RegExp(idPattern('delivery'))

export const listDeliveries = implement(
  endpoints.webhooks.listDeliveries,
  async ({ caller, params, query, db }) => {
    const { limit = 50, cursor, status } = query
    if (cursor !== undefined && !DELIVERY_ID.test(cursor)) {
      throw problem('invalid', 'cursor must be the nextCursor of an earlier answer.')
    }
    await ownWebhook(db, params.id, caller.accountId, { lock: false })
    const found = await repo.listDeliveries(db, params.id, {
      limit: limit + 1,
      ...(cursor === undefined ? {} : { before: cursor }),
      ...(status === undefined ? {} : { status }),
    })
    const data = found.slice(0, limit)
    const nextCursor = found.length > limit ? (data.at(-1)?.id ?? null) : null
    return { data, meta: { limit, nextCursor } }
  },
)
