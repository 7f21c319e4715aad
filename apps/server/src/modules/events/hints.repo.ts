import type pg from 'pg'

/** A notice holds 8,000 bytes; with more apps than fit, the streams' own look each second does it. */
const APPS_MAX = 200

/** Outside of any transaction that writes events: a notice inside would make writers queue. */
export async function sendHint(
  pool: pg.Pool,
  channel: string,
  appIds: readonly string[],
): Promise<void> {
  await pool.query('select pg_notify($1, $2)', [channel, appIds.slice(0, APPS_MAX).join(' ')])
}
