import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, problem, required } from '../../http/problem.ts'
import * as accounts from './accounts.repo.ts'

export const updateAccount = implement(
  endpoints.accounts.updateAccount,
  async ({ params, body, db, audit }) => {
    const before = required(
      await accounts.findAccount(db, params.id),
      notFound('Account', params.id),
    )
    if (before.role === 'operator' && body.status === 'suspended') {
      throw problem(
        'conflict',
        "The operator's account cannot be suspended: nobody could lift it again.",
      )
    }
    await accounts.updateAccount(db, params.id, body)
    const after = { ...before, ...body }
    audit({ target: params.id, before, after })
    return after
  },
)
