import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import * as repo from './apps.repo.ts'

export const updateApp = implement(
  endpoints.apps.updateApp,
  async ({ app, body, db, keyring, clock, audit }) => {
    const updated = required(
      await repo.updateApp(db, app.id, body, clock.now()),
      notFound('App', app.id),
    )
    audit({ target: app.id, before: repo.toAuditable(app), after: repo.toAuditable(updated) })
    return repo.toApp(updated, keyring)
  },
)
