import type { Account, User } from '@merlon/contract'
import type { Db } from '../../db/database.ts'
import type { Origin } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { csrfTokenOf, sessionCookie } from '../../http/session-cookie.ts'
import { randomToken, type Keyring } from '../../secrets/keyring.ts'
import { findAccount } from './accounts.repo.ts'
import { insertSession, insertSignInLink, SESSION_HOURS } from './sessions.repo.ts'
import { touchSignIn, toUser, type UserRow } from './users.repo.ts'

interface Door {
  readonly db: Db
  readonly keyring: Keyring
  readonly origin: Origin
  readonly now: number
  readonly secure: boolean
}

export interface SignedIn {
  readonly cookie: string
  readonly answer: { account: Account; user: User; csrfToken: string }
}

/** Opens a session for a person whose password or link was right. */
export async function signIn(
  user: UserRow,
  { db, keyring, origin, now, secure }: Door,
): Promise<SignedIn> {
  const account = await findAccount(db, user.account_id)
  if (account === undefined) throw problem('unauthenticated', 'This account no longer exists.')
  if (account.status === 'suspended') throw problem('forbidden', 'This account is suspended.')
  const token = randomToken()
  const tokenHash = keyring.mac('session', token)
  await insertSession(
    db,
    { tokenHash, userId: user.id, ip: origin.ip, userAgent: origin.userAgent },
    now,
  )
  await touchSignIn(db, user.id, now)
  return {
    cookie: sessionCookie(token, { maxAgeSeconds: SESSION_HOURS * 3600, secure }),
    answer: {
      account,
      user: toUser({ ...user, last_sign_in_at: new Date(now) }),
      csrfToken: csrfTokenOf(token, keyring),
    },
  }
}

/** The token stands in the fragment: browsers do not send it to servers, so no log ever has it. */
export async function issueSignInLink(
  db: Db,
  keyring: Keyring,
  userId: string,
  publicUrl: string,
  now: number,
): Promise<{ url: string; expiresAt: string }> {
  const token = randomToken()
  const tokenHash = keyring.mac('sign-in-link', token)
  const expiresAt = await insertSignInLink(db, { tokenHash, userId }, now)
  return { url: `${publicUrl}/signin#token=${token}`, expiresAt: expiresAt.toISOString() }
}
