import { createId, createKey, keyHint } from '@merlon/base'
import type { ApiKey } from '@merlon/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AccountPrincipal } from '../../http/principal.ts'
import type { Keyring } from '../../secrets/keyring.ts'

const columns = [
  'id',
  'account_id',
  'name',
  'hint',
  'created_at',
  'last_used_at',
  'expires_at',
] as const

interface Row {
  id: string
  account_id: string
  name: string
  hint: string
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

export function toApiKey(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}

/** The key itself is in the answer and nowhere else: only its keyed hash is stored. */
export async function insertApiKey(
  db: Db,
  keyring: Keyring,
  input: { accountId: string; name: string; expiresAt?: Date; key?: string },
  now: number,
): Promise<ApiKey & { key: string }> {
  const key = input.key ?? createKey('account')
  const row = await db
    .insertInto('api_keys')
    .values({
      id: createId('key', now),
      account_id: input.accountId,
      name: input.name,
      key_hash: keyring.mac('api-key', key),
      hint: keyHint(key),
      created_at: new Date(now),
      expires_at: input.expiresAt ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { ...toApiKey(row), key }
}

export async function listApiKeys(db: Db, accountId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(toApiKey)
}

export async function findApiKey(
  db: Db,
  id: string,
): Promise<(ApiKey & { accountId: string }) | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...toApiKey(row), accountId: row.account_id }
}

export async function deleteApiKey(db: Db, id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', id).execute()
}

export async function findByKeyHash(db: Db, hash: Buffer): Promise<AccountPrincipal | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as key_id',
      'api_keys.name as key_name',
      'api_keys.expires_at',
      'accounts.id as account_id',
      'accounts.role',
      'accounts.status',
    ])
    .where('api_keys.key_hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    kind: 'account',
    via: 'key',
    accountId: row.account_id,
    accountRole: row.role as AccountPrincipal['accountRole'],
    accountStatus: row.status as AccountPrincipal['accountStatus'],
    keyId: row.key_id,
    keyName: row.key_name,
    expiresAt: row.expires_at?.getTime(),
  }
}

/** One statement for all keys of the last minute: a write per request would cost more than the request. */
export async function writeLastUsed(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  if (uses.size === 0) return
  const ids = [...uses.keys()]
  const times = [...uses.values()].map((ms) => new Date(ms).toISOString())
  await sql`
    update api_keys set last_used_at = used.at
    from unnest(${ids}::text[], ${times}::timestamptz[]) as used (id, at)
    where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)
  `.execute(db)
}
