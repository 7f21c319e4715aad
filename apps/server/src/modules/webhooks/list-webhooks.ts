import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import * as repo from './webhooks.repo.ts'

export const listWebhooks = implement(endpoints.webhooks.listWebhooks, async ({ app, db }) => {
  const data = await repo.listWebhooks(db, app.id)
  return { data, meta: { total: data.length } }
})
