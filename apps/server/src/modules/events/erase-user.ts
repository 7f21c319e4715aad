import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import * as repo from './user-data.repo.ts'

/** The audit entry says that it was done and how much, but not to whom: it would keep what was to go. */
export const eraseUser = implement(endpoints.events.eraseUser, async ({ app, body, db, audit }) => {
  const erased = await repo.eraseUser(db, app.id, body.userId)
  audit({ target: app.id, after: { erased } })
  return { erased }
})
