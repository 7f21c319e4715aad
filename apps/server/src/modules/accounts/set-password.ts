import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, problem, required } from '../../http/problem.ts'
import { hashPassword, verifyPassword } from '../../secrets/password.ts'
import { takeLoginAllowance } from './login-allowance.ts'
import { deleteOtherSessions, deleteSignInLinks } from './sessions.repo.ts'
import { findUser, setPasswordHash } from './users.repo.ts'

export const setPassword = implement(
  endpoints.auth.setPassword,
  async ({ caller, db, audit }, newHash: string) => {
    const userId = caller.userId ?? ''
    await setPasswordHash(db, userId, newHash)
    await deleteOtherSessions(db, userId, caller.sessionId ?? '')
    await deleteSignInLinks(db, userId)
    audit({ target: userId })
    return { changed: true }
  },
  async ({ caller, body, db, limiter }) => {
    const userId = caller.userId ?? ''
    const user = required(await findUser(db, userId), notFound('User', userId))
    if (user.password_hash !== null) {
      // A stolen session must not be enough to try passwords until one fits.
      takeLoginAllowance(limiter, `password ${userId}`, 'tries of a password')
      if (body.currentPassword === undefined) {
        throw problem('invalid', 'currentPassword is required to change a password.')
      }
      if (!(await verifyPassword(body.currentPassword, user.password_hash))) {
        throw problem('forbidden', 'currentPassword is wrong.')
      }
    }
    return hashPassword(body.newPassword)
  },
)
