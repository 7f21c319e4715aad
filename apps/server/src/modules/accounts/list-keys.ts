import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { listApiKeys } from './api-keys.repo.ts'

export const listKeys = implement(endpoints.keys.listKeys, async ({ caller, db }) => {
  const data = await listApiKeys(db, caller.accountId)
  return { data, meta: { total: data.length } }
})
