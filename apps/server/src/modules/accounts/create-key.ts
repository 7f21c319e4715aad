import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { insertApiKey } from './api-keys.repo.ts'

export const createKey = implement(
  endpoints.keys.createKey,
  async ({ caller, body, db, keyring, clock, audit }) => {
    const now = clock.now()
    const expiresAt = body.expiresAt === undefined ? undefined : new Date(body.expiresAt)
    if (expiresAt !== undefined && !(expiresAt.getTime() > now))
      throw problem('invalid', 'expiresAt must lie in the future.')
    const input = { accountId: caller.accountId, name: body.name }
    const created = await insertApiKey(
      db,
      keyring,
      expiresAt === undefined ? input : { ...input, expiresAt },
      now,
    )
    const { key: _key, ...shown } = created
    audit({ target: created.id, after: shown })
    return created
  },
)
