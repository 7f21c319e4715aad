import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { requireOwnUser } from './own-user.ts'
import { issueSignInLink } from './sign-in.ts'

export const createSignInLink = implement(
  endpoints.users.createSignInLink,
  async ({ caller, params, db, keyring, clock, publicUrl, audit }) => {
    const user = await requireOwnUser(db, params.id, caller.accountId)
    audit({ target: user.id })
    return issueSignInLink(db, keyring, user.id, publicUrl(), clock.now())
  },
)
