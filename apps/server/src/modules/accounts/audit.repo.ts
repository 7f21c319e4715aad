import { createHash } from 'node:crypto'
import { createId } from '@merlon/base'
import type { AuditEntry } from '@merlon/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AuditEntryInput } from '../../http/mount.ts'

interface Entry {
  account_id: string
  sequence: number
  id: string
  action: string
  actor_kind: string
  actor_id: string | null
  actor_name: string | null
  target: string | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  before: unknown
  after: unknown
  at: Date
}

/**
 * Appends one entry to the account's chain. The lock on the account's row makes writers of one
 * account take turns, so that there is one last entry to build upon.
 */
export async function appendAudit(db: Db, input: AuditEntryInput, now: number): Promise<void> {
  const { accountId, note, caller, origin } = input
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(db)
  const last = await db
    .selectFrom('audit_log')
    .select(['sequence', 'hash'])
    .where('account_id', '=', accountId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  const entry: Entry = {
    account_id: accountId,
    sequence: (last?.sequence ?? 0) + 1,
    id: createId('audit', now),
    action: input.action,
    ...actorOf(caller, note.actor),
    target: note.target ?? null,
    ip: origin.ip,
    user_agent: origin.userAgent?.slice(0, 300) ?? null,
    request_id: origin.requestId,
    before: note.before ?? null,
    after: note.after ?? null,
    at: new Date(now),
  }
  await db
    .insertInto('audit_log')
    .values({
      ...entry,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      hash: chainHash(last?.hash, entry),
    })
    .execute()
}

function actorOf(
  caller: AuditEntryInput['caller'],
  given: AuditEntryInput['note']['actor'],
): Pick<Entry, 'actor_kind' | 'actor_id' | 'actor_name'> {
  if (given !== undefined) {
    return { actor_kind: given.kind, actor_id: given.id ?? null, actor_name: given.name ?? null }
  }
  if (caller?.via === 'session') {
    return { actor_kind: 'user', actor_id: caller.userId ?? null, actor_name: caller.email ?? null }
  }
  if (caller?.via === 'key') {
    return { actor_kind: 'key', actor_id: caller.keyId ?? null, actor_name: caller.keyName ?? null }
  }
  return { actor_kind: 'system', actor_id: null, actor_name: null }
}

/** Covers every field and the hash before it: no entry can be changed, removed or moved unseen. */
function chainHash(previous: Uint8Array | undefined, entry: Entry): Buffer {
  return createHash('sha256')
    .update(previous ?? '')
    .update(canonical(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest()
}

/** JSON with sorted keys: jsonb gives keys back in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field) && !(field instanceof Date)
      ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  )
}

export async function listAudit(
  db: Db,
  query: { accountId: string; action?: string; before?: number; limit: number },
): Promise<AuditEntry[]> {
  let select = db
    .selectFrom('audit_log')
    .selectAll()
    .where('account_id', '=', query.accountId)
    .orderBy('sequence', 'desc')
    .limit(query.limit)
  if (query.action !== undefined) select = select.where('action', '=', query.action)
  if (query.before !== undefined) select = select.where('sequence', '<', query.before)
  const rows = await select.execute()
  return rows.map((row) => ({
    id: row.id,
    sequence: row.sequence,
    action: row.action,
    actor: {
      kind: row.actor_kind as AuditEntry['actor']['kind'],
      id: row.actor_id,
      name: row.actor_name,
    },
    target: row.target,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    before: row.before,
    after: row.after,
    at: row.at.toISOString(),
    hash: Buffer.from(row.hash).toString('hex'),
  }))
}

const VERIFY_PAGE = 1_000

/** Walks the whole chain in pages; the first entry that does not fit ends the walk. */
export async function verifyAudit(db: Db, accountId: string) {
  let previous: Uint8Array | undefined
  let entries = 0
  for (;;) {
    const page = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('sequence', '>', entries)
      .orderBy('sequence')
      .limit(VERIFY_PAGE)
      .execute()
    for (const { hash, ...entry } of page) {
      const fits = entry.sequence === entries + 1 && chainHash(previous, entry).equals(hash)
      if (!fits) return { intact: false, entries, brokenAtSequence: entry.sequence, headHash: null }
      previous = hash
      entries++
    }
    if (page.length < VERIFY_PAGE) break
  }
  const headHash = previous === undefined ? null : Buffer.from(previous).toString('hex')
  return { intact: true, entries, brokenAtSequence: null, headHash }
}
