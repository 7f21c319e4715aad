import type { BaselineState } from '@merlon/detect'
import type { Db } from '../../db/database.ts'
import { waitForDetector } from './detections/detector-lock.repo.ts'
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

/** In a transaction: a detector that has read the old state would otherwise write it back. */
export async function deleteBaseline(db: Db, appId: string): Promise<void> {
  await waitForDetector(db)
  await db
    .deleteFrom('detection_state')
    .where('app_id', '=', appId)
    .where('kind', '=', BASELINE_KIND)
    .execute()
}
