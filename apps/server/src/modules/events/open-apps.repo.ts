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
