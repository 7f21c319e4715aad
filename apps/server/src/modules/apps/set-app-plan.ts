import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import * as repo from './apps.repo.ts'

/** The app may be anybody's; the entry stands in the operator's own audit log. */
export const setAppPlan = implement(
  endpoints.apps.setAppPlan,
  async ({ app, body, db, keyring, clock, audit }) => {
    const updated = required(
      await repo.updateApp(db, app.id, { plan: body.plan }, clock.now()),
      notFound('App', app.id),
    )
    audit({ target: app.id, before: { plan: app.plan }, after: { plan: updated.plan } })
    return repo.toApp(updated, keyring)
  },
)
