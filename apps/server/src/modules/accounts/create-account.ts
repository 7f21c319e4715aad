import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { hashPassword } from '../../secrets/password.ts'
import { insertAccount } from './accounts.repo.ts'
import { insertApiKey } from './api-keys.repo.ts'
import { issueSignInLink } from './sign-in.ts'
import { insertUser, toUser } from './users.repo.ts'

export const createAccount = implement(
  endpoints.accounts.createAccount,
  async ({ body, db, keyring, clock, publicUrl, audit }, password: { passwordHash?: string }) => {
    const now = clock.now()
    const account = await insertAccount(db, { name: body.name, role: 'customer' }, now)
    const user = await insertUser(
      db,
      { accountId: account.id, email: body.email, ...password },
      now,
    )
    if (user === undefined) throw problem('conflict', 'A person with this e-mail exists already.')
    const { key } = await insertApiKey(
      db,
      keyring,
      { accountId: account.id, name: 'First key' },
      now,
    )
    audit({ target: account.id, after: account })
    return {
      ...account,
      apiKey: key,
      user: toUser(user),
      signInLink: await issueSignInLink(db, keyring, user.id, publicUrl(), now),
    }
  },
  async ({ body }) =>
    body.password === undefined ? {} : { passwordHash: await hashPassword(body.password) },
)
