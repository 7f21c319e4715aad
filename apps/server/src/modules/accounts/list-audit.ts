import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import * as repo from './audit.repo.ts'

export const listAudit = implement(endpoints.audit.listAudit, async ({ caller, query, db }) => {
  const limit = query.limit ?? 50
  const before = query.cursor === undefined ? {} : { before: sequenceOf(query.cursor) }
  const action = query.action === undefined ? {} : { action: query.action }
  const found = await repo.listAudit(db, {
    accountId: caller.accountId,
    limit: limit + 1,
    ...before,
    ...action,
  })
  const data = found.slice(0, limit)
  const nextCursor = found.length > limit ? String(data.at(-1)?.sequence) : null
  return { data, meta: { limit, nextCursor } }
})

function sequenceOf(cursor: string): number {
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw problem('invalid', 'cursor must be the nextCursor of an earlier answer.')
  return Number(cursor)
}
