import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import * as accounts from './accounts.repo.ts'

export const listAccounts = implement(endpoints.accounts.listAccounts, async ({ db }) => {
  const data = await accounts.listAccounts(db)
  return { data, meta: { total: data.length } }
})
