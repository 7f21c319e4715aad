import type { AppSettings } from '@merlon/contract'
import type { Db } from '../../db/database.ts'
import type { AppPrincipal } from '../../http/principal.ts'

/** Everything a hot path needs to know of the calling app, in one look-up. */
export async function findByAppKeyHash(db: Db, hash: Buffer): Promise<AppPrincipal | undefined> {
  const row = await db
    .selectFrom('app_keys')
    .innerJoin('apps', 'apps.id', 'app_keys.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .select([
      'app_keys.expires_at',
      'apps.id as app_id',
      'apps.status as app_status',
      'apps.plan',
      'apps.settings',
      'accounts.id as account_id',
      'accounts.status as account_status',
    ])
    .where('app_keys.key_hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    kind: 'app',
    appId: row.app_id,
    accountId: row.account_id,
    accountStatus: row.account_status as AppPrincipal['accountStatus'],
    appStatus: row.app_status as AppPrincipal['appStatus'],
    plan: row.plan as AppPrincipal['plan'],
    settings: row.settings as unknown as AppSettings,
    expiresAt: row.expires_at?.getTime(),
  }
}
