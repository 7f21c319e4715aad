import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import * as repo from './apps.repo.ts'

export const listApps = implement(endpoints.apps.listApps, async ({ caller, db, keyring }) => {
  const found = await repo.listApps(db, caller.accountId)
  return { data: found.map((app) => repo.toSummary(app, keyring)), meta: { total: found.length } }
})
