import { createId, createKey } from '@merlon/base'
import { defaultAppSettings } from '@merlon/contract'
import type { Db } from '../src/db/database.ts'

/** An app of an account of its own, written past the API, for tests below the door. */
export async function plantApp(db: Db, now = Date.now()): Promise<string> {
  const at = new Date(now)
  const accountId = createId('account', now)
  const id = createId('app', now)
  await db
    .insertInto('accounts')
    .values({ id: accountId, name: 'Account', role: 'customer', created_at: at })
    .execute()
  await db
    .insertInto('apps')
    .values({
      id,
      account_id: accountId,
      name: 'Shop',
      key_sealed: Buffer.from(createKey('app')),
      plan: 'free',
      settings: JSON.stringify(defaultAppSettings),
      created_at: at,
      updated_at: at,
    })
    .execute()
  return id
}
