import type { Clock } from '@merlon/base'
import type { Db } from '../../db/database.ts'
import { defineJob, enqueue } from '../../jobs/index.ts'
import { deleteBulkBatch, deleteStragglers } from './delete-app-data.repo.ts'

const KIND = 'apps.delete-data'
/** By then no request that began before the deletion can still be under way. */
const STRAGGLERS_MS = 2 * 60_000

/** No appId on the jobs themselves: the deletion of the app would delete the jobs that finish it. */
export async function enqueueBulkDeletion(
  db: Db,
  deletedAppId: string,
  clock: Clock,
): Promise<void> {
  const request = { kind: KIND, payload: { deletedAppId } }
  await enqueue(db, { ...request, uniqueKey: deletedAppId }, clock)
  const runAt = new Date(clock.now() + STRAGGLERS_MS)
  await enqueue(db, { ...request, uniqueKey: `${deletedAppId} again`, runAt }, clock)
}

/** Small transactions, so that a large app's end neither blocks others nor starts over after a crash. */
export const deleteAppData = defineJob<{ deletedAppId: string }>({
  kind: KIND,
  attemptsMax: 20,
  async run({ payload, db, signal }) {
    while (await deleteBulkBatch(db, payload.deletedAppId)) signal.throwIfAborted()
    await deleteStragglers(db, payload.deletedAppId)
  },
})
