import type { Db } from '../../db/database.ts'
import { notFound, problem, required } from '../../http/problem.ts'
import { findUserToKeep, type UserRow } from './users.repo.ts'

/** The person with this id, who must belong to the caller's account. */
export async function requireOwnUser(db: Db, id: string, accountId: string): Promise<UserRow> {
  const user = required(await findUserToKeep(db, id), notFound('User', id))
  if (user.account_id !== accountId)
    throw problem('forbidden', `User ${id} belongs to another account.`)
  return user
}
