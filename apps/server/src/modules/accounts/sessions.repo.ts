import { createId } from '@merlon/base'
import type { Db } from '../../db/database.ts'
import type { AccountPrincipal } from '../../http/principal.ts'

export const SESSION_HOURS = 12

export async function insertSession(
  db: Db,
  session: { tokenHash: Buffer; userId: string; ip: string; userAgent: string | undefined },
  now: number,
): Promise<string> {
  const id = createId('session', now)
  await db
    .insertInto('sessions')
    .values({
      id,
      token_hash: session.tokenHash,
      user_id: session.userId,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, 300) ?? null,
      created_at: new Date(now),
      expires_at: new Date(now + SESSION_HOURS * 3_600_000),
    })
    .execute()
  return id
}

export async function findBySessionHash(
  db: Db,
  hash: Buffer,
): Promise<AccountPrincipal | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      'sessions.id as session_id',
      'sessions.expires_at',
      'users.id as user_id',
      'users.email',
      'accounts.id as account_id',
      'accounts.role',
      'accounts.status',
    ])
    .where('sessions.token_hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    kind: 'account',
    via: 'session',
    accountId: row.account_id,
    accountRole: row.role as AccountPrincipal['accountRole'],
    accountStatus: row.status as AccountPrincipal['accountStatus'],
    userId: row.user_id,
    email: row.email,
    sessionId: row.session_id,
    expiresAt: row.expires_at.getTime(),
  }
}

export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function deleteOtherSessions(db: Db, userId: string, keepId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', keepId).execute()
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', new Date(now)).execute()
  await db.deleteFrom('sign_in_links').where('expires_at', '<', new Date(now)).execute()
}

const LINK_HOURS = 24

export async function insertSignInLink(
  db: Db,
  link: { tokenHash: Buffer; userId: string },
  now: number,
): Promise<Date> {
  const expiresAt = new Date(now + LINK_HOURS * 3_600_000)
  await db
    .insertInto('sign_in_links')
    .values({ token_hash: link.tokenHash, user_id: link.userId, expires_at: expiresAt })
    .execute()
  return expiresAt
}

/** Gives the link's user once: the row is gone with the first use. */
export async function takeSignInLink(
  db: Db,
  tokenHash: Buffer,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', tokenHash)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.expires_at.getTime() > now ? row.user_id : undefined
}

/** A new password also closes the doors that were opened by mail before it. */
export async function deleteSignInLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sign_in_links').where('user_id', '=', userId).execute()
}
