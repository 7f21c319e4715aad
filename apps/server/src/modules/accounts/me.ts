import { endpoints } from '@merlon/contract'
import { implementRaw } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import { csrfTokenOf, sessionTokenOf } from '../../http/session-cookie.ts'
import { findAccount } from './accounts.repo.ts'
import { findUser, toUser } from './users.repo.ts'

/** The CSRF token follows from the session cookie, so this one handler looks at the request itself. */
export const me = implementRaw(endpoints.auth.me, async ({ caller, db, keyring }, request) => {
  const account = required(
    await findAccount(db, caller.accountId),
    notFound('Account', caller.accountId),
  )
  const user = caller.userId === undefined ? undefined : await findUser(db, caller.userId)
  const token = caller.via === 'session' ? sessionTokenOf(request.headers.cookie) : undefined
  return {
    ok: true,
    data: {
      account,
      user: user === undefined ? null : toUser(user),
      csrfToken: token === undefined ? null : csrfTokenOf(token, keyring),
    },
  }
})
