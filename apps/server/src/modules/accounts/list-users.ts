import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import * as users from './users.repo.ts'

export const listUsers = implement(endpoints.users.listUsers, async ({ caller, db }) => {
  const data = await users.listUsers(db, caller.accountId)
  return { data, meta: { total: data.length } }
})
