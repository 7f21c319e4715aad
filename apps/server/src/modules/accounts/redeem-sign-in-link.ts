import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { takeSignInLink } from './sessions.repo.ts'
import { signIn } from './sign-in.ts'
import { findUserToKeep } from './users.repo.ts'

/** A link works once. The page that holds it asks for a press of a button, so that previews do not use it up. */
export const redeemSignInLink = implement(
  endpoints.auth.redeemSignInLink,
  async ({ body, db, keyring, clock, origin, config, header, audit }) => {
    const now = clock.now()
    const userId = await takeSignInLink(db, keyring.mac('sign-in-link', body.token), now)
    const user = userId === undefined ? undefined : await findUserToKeep(db, userId)
    if (user === undefined)
      throw problem(
        'unauthenticated',
        'This sign-in link was used already or has run out. Ask for a new one.',
      )
    const secure = config.publicUrl?.startsWith('https:') === true
    const { cookie, answer } = await signIn(user, { db, keyring, origin, now, secure })
    header('set-cookie', cookie)
    audit({
      accountId: user.account_id,
      target: user.id,
      actor: { kind: 'user', id: user.id, name: user.email },
    })
    return answer
  },
)
