import type { BaselineState } from '@merlon/detect'
import type { Db } from '../../db/database.ts'
import { BASELINE_KEY, BASELINE_KIND } from './detections/judge.ts'

export async function findBaseline(db: Db, appId: string): Promise<BaselineState | undefined> {
  const row = await db
    .selectFrom('detection_state')
    .select('state')
    .where('app_id', '=', appId)
    .where('kind', '=', BASELINE_KIND)
    .where('key', '=', BASELINE_KEY)
    .executeTakeFirst()
  return row?.state as unknown as BaselineState | undefined
}

export async function deleteBaseline(db: Db, appId: string): Promise<void> {
  await db
    .deleteFrom('detection_state')
    .where('app_id', '=', appId)
    .where('kind', '=', BASELINE_KIND)
    .execute()
}
