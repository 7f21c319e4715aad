import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, problem, required } from '../../http/problem.ts'
import { deleteApiKey, findApiKey } from './api-keys.repo.ts'

export const deleteKey = implement(
  endpoints.keys.deleteKey,
  async ({ caller, params, db, audit }) => {
    const { accountId, ...key } = required(
      await findApiKey(db, params.id),
      notFound('Key', params.id),
    )
    if (accountId !== caller.accountId)
      throw problem('forbidden', `Key ${params.id} belongs to another account.`)
    await deleteApiKey(db, params.id)
    audit({ target: params.id, before: key })
    return { id: params.id }
  },
)
