import { createId } from '@merlon/base'
import type { User } from '@merlon/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

const columns = [
  'id',
  'account_id',
  'email',
  'name',
  'password_hash',
  'last_sign_in_at',
  'created_at',
] as const

export interface UserRow {
  id: string
  account_id: string
  email: string
  name: string | null
  password_hash: string | null
  last_sign_in_at: Date | null
  created_at: Date
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    hasPassword: row.password_hash !== null,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

/** Undefined when the address is taken, on this account or another. */
export async function insertUser(
  db: Db,
  user: { accountId: string; email: string; name?: string; passwordHash?: string },
  now: number,
): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values({
      id: createId('user', now),
      account_id: user.accountId,
      email: user.email,
      name: user.name ?? null,
      password_hash: user.passwordHash ?? null,
      created_at: new Date(now),
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function listUsers(db: Db, accountId: string): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(toUser)
}

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Found, and kept from being removed until the transaction ends: for what will refer to this person. */
export async function findUserToKeep(db: Db, id: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .select(columns)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
}

/** PostgreSQL folds both sides, by the rule of the unique index: it is not always JavaScript's rule. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .select(columns)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/** Locks the account's people, so that two deletions at once cannot remove the last one. */
export async function countUsersForUpdate(db: Db, accountId: string): Promise<number> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .forUpdate()
    .execute()
  return rows.length
}

export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

export async function setPasswordHash(db: Db, id: string, hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute()
}

export async function touchSignIn(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_sign_in_at: new Date(now) })
    .where('id', '=', id)
    .execute()
}
