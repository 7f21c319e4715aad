import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import { toAuditable } from './apps.repo.ts'
import { deleteAppAndData } from './delete-app-data.repo.ts'
import { enqueueBulkDeletion } from './delete-app-data.job.ts'

/** From the commit on the app's key is 401 and its id 404; millions of events are removed behind that. */
export const deleteApp = implement(endpoints.apps.deleteApp, async ({ app, db, clock, audit }) => {
  const { bulkLeft } = required(await deleteAppAndData(db, app.id), notFound('App', app.id))
  if (bulkLeft) await enqueueBulkDeletion(db, app.id, clock)
  audit({ target: app.id, before: toAuditable(app) })
  return { id: app.id }
})
