import type { Module } from '../../module.ts'
import { createAccount } from './create-account.ts'
import { createKey } from './create-key.ts'
import { createSignInLink } from './create-sign-in-link.ts'
import { createUser } from './create-user.ts'
import { deleteKey } from './delete-key.ts'
import { deleteUser } from './delete-user.ts'
import { forgetExpired, forgetExpiredHourly } from './forget-expired.job.ts'
import { listAccounts } from './list-accounts.ts'
import { listAudit } from './list-audit.ts'
import { listKeys } from './list-keys.ts'
import { listUsers } from './list-users.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { me } from './me.ts'
import { redeemSignInLink } from './redeem-sign-in-link.ts'
import { setPassword } from './set-password.ts'
import { updateAccount } from './update-account.ts'
import { verifyAudit } from './verify-audit.ts'

export const accounts: Module = {
  name: 'accounts',
  endpoints: [
    createAccount,
    createKey,
    createSignInLink,
    createUser,
    deleteKey,
    deleteUser,
    listAccounts,
    listAudit,
    listKeys,
    listUsers,
    login,
    logout,
    me,
    redeemSignInLink,
    setPassword,
    updateAccount,
    verifyAudit,
  ],
  jobs: () => [forgetExpired],
  schedules: [forgetExpiredHourly],
}

export { appendAudit } from './audit.repo.ts'
export { findByKeyHash } from './api-keys.repo.ts'
export { bootstrap, type FirstAccess } from './bootstrap.ts'
export { LastUsed } from './last-used.ts'
export { deleteExpiredSessions, findBySessionHash } from './sessions.repo.ts'
