/**
 * Whether the writes of a transaction were visible in a snapshot, written `xmin:xmax:running,…` as
 * PostgreSQL does. Behind its xmin stand transactions that had ended already, beside those that
 * had not: going by the position alone would send events from before the webhook was made.
 */
export function wasVisible(snapshot: string, xid: string): boolean {
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':')
  const number = BigInt(xid)
  if (number < BigInt(xmin)) return true
  return number < BigInt(xmax) && !running.split(',').includes(xid)
}
