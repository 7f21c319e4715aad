import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { requireOwnUser } from './own-user.ts'
import * as users from './users.repo.ts'

/** The last person stays: an account that nobody can sign in to cannot be mended from the dashboard. */
export const deleteUser = implement(
  endpoints.users.deleteUser,
  async ({ caller, params, db, audit }) => {
    // All people are locked before one is looked at: two deletions at once wait instead of blocking each other.
    const people = await users.countUsersForUpdate(db, caller.accountId)
    const user = await requireOwnUser(db, params.id, caller.accountId)
    if (people <= 1) throw problem('conflict', 'The last person of an account cannot be removed.')
    await users.deleteUser(db, user.id)
    audit({ target: user.id, before: users.toUser(user) })
    return { id: user.id }
  },
)
