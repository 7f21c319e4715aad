import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { issueSignInLink } from './sign-in.ts'
import { insertUser, toUser } from './users.repo.ts'

export const createUser = implement(
  endpoints.users.createUser,
  async ({ caller, body, db, keyring, clock, publicUrl, audit }) => {
    const now = clock.now()
    const row = await insertUser(db, { ...body, accountId: caller.accountId }, now)
    if (row === undefined) throw problem('conflict', 'A person with this e-mail exists already.')
    const user = toUser(row)
    audit({ target: user.id, after: user })
    return { ...user, signInLink: await issueSignInLink(db, keyring, user.id, publicUrl(), now) }
  },
)
