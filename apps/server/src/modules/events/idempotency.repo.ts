import type { Db } from '../../db/database.ts'

export interface RememberedAnswer {
  readonly bodyHash: Buffer
  readonly answer: { count: number; rejected?: { index: number; error: string }[] }
}

export async function findRemembered(
  db: Db,
  appId: string,
  key: string,
): Promise<RememberedAnswer | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('app_id', '=', appId)
    .where('key', '=', key)
    .executeTakeFirst()
  return (
    row && { bodyHash: row.body_hash, answer: row.answer as unknown as RememberedAnswer['answer'] }
  )
}
