import type pg from 'pg'

/** Those of the apps that exist and whose streams may be read: neither they nor their account is suspended. */
export async function listOpenApps(
  pool: pg.Pool,
  appIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'events-open-apps',
    text: `select apps.id from apps join accounts on accounts.id = apps.account_id
      where apps.id = any($1) and apps.status = 'active' and accounts.status = 'active'`,
    values: [appIds],
  })
  return new Set(rows.map((row) => row.id))
}

/** What a valid token of this app is worth now: it may have outlived the app, or its good standing. */
export async function findAppAccess(
  pool: pg.Pool,
  appId: string,
): Promise<'open' | 'suspended' | 'gone'> {
  const { rows } = await pool.query<{ open: boolean }>({
    name: 'events-app-access',
    text: `select apps.status = 'active' and accounts.status = 'active' as open
      from apps join accounts on accounts.id = apps.account_id where apps.id = $1`,
    values: [appId],
  })
  if (rows[0] === undefined) return 'gone'
  return rows[0].open ? 'open' : 'suspended'
}
