import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { endedSessionCookie } from '../../http/session-cookie.ts'
import { deleteSession } from './sessions.repo.ts'

export const logout = implement(
  endpoints.auth.logout,
  async ({ caller, db, config, header, audit }) => {
    if (caller.sessionId !== undefined) await deleteSession(db, caller.sessionId)
    header('set-cookie', endedSessionCookie(config.publicUrl?.startsWith('https:') === true))
    if (caller.userId !== undefined) audit({ target: caller.userId })
    return { signedOut: true }
  },
)
