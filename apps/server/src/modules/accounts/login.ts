import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { verifyPassword } from '../../secrets/password.ts'
import { takeLoginAllowance } from './login-allowance.ts'
import { signIn } from './sign-in.ts'
import { findUserByEmail, type UserRow } from './users.repo.ts'

/** Counted per address at the door and per e-mail here, so that many addresses cannot try one account. */
export const login = implement(
  endpoints.auth.login,
  async ({ db, keyring, clock, origin, config, header, audit }, user: UserRow) => {
    const secure = config.publicUrl?.startsWith('https:') === true
    const { cookie, answer } = await signIn(user, { db, keyring, origin, now: clock.now(), secure })
    header('set-cookie', cookie)
    audit({
      accountId: user.account_id,
      target: user.id,
      actor: { kind: 'user', id: user.id, name: user.email },
    })
    return answer
  },
  async ({ body, db, limiter }) => {
    takeLoginAllowance(limiter, `email ${body.email.toLowerCase()}`, 'sign-ins for this e-mail')
    const user = await findUserByEmail(db, body.email)
    const right = await verifyPassword(body.password, user?.password_hash ?? null)
    if (user === undefined || !right) {
      throw problem('unauthenticated', 'The e-mail or the password is wrong.')
    }
    return user
  },
)
