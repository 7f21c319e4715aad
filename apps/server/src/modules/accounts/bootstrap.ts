import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/tx.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { findOperator, insertAccount, lockFirstStart } from './accounts.repo.ts'
import { insertApiKey } from './api-keys.repo.ts'
import { issueSignInLink } from './sign-in.ts'
import { insertUser } from './users.repo.ts'

export interface FirstAccess {
  readonly apiKey: string
  readonly signInUrl: string
}

/** On the first start makes the operator's account; later it answers undefined and changes nothing. */
export async function bootstrap(
  db: Db,
  keyring: Keyring,
  options: { apiKey: string | undefined; publicUrl: string; now: number },
): Promise<FirstAccess | undefined> {
  const { apiKey, publicUrl, now } = options
  return inTransaction(db, async (tx) => {
    await lockFirstStart(tx)
    if ((await findOperator(tx)) !== undefined) return undefined
    const account = await insertAccount(tx, { name: 'Operator', role: 'operator' }, now)
    const user = await insertUser(tx, { accountId: account.id, email: 'operator@localhost' }, now)
    if (user === undefined)
      throw new Error('operator@localhost exists without an operator account.')
    const input = { accountId: account.id, name: 'First key' }
    const { key } = await insertApiKey(
      tx,
      keyring,
      apiKey === undefined ? input : { ...input, key: apiKey },
      now,
    )
    const { url } = await issueSignInLink(tx, keyring, user.id, publicUrl, now)
    return { apiKey: key, signInUrl: url }
  })
}
