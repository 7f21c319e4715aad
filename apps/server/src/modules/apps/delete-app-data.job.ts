import type { Clock } from '@merlon/base'
import type { Db } from '../../db/database.ts'
import { defineJob, enqueue } from '../../jobs/index.ts'
import { deleteBulkBatch } from './delete-app-data.repo.ts'

const KIND = 'apps.delete-data'

/** No appId on the job itself: the deletion of the app would delete the job that finishes it. */
export async function enqueueBulkDeletion(
  db: Db,
  deletedAppId: string,
  clock: Clock,
): Promise<void> {
  await enqueue(db, { kind: KIND, payload: { deletedAppId }, uniqueKey: deletedAppId }, clock)
}

/** Small transactions, so that a large app's end neither blocks others nor starts over after a crash. */
export const deleteAppData = defineJob<{ deletedAppId: string }>({
  kind: KIND,
  attemptsMax: 20,
  async run({ payload, db, signal }) {
    while (await deleteBulkBatch(db, payload.deletedAppId)) signal.throwIfAborted()
  },
})
