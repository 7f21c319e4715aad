import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import * as repo from './audit.repo.ts'

export const verifyAudit = implement(endpoints.audit.verifyAudit, async ({ caller, db }) =>
  repo.verifyAudit(db, caller.accountId),
)
