import { endpoints } from '@merlon/contract'
import { baselineView } from '@merlon/detect'
import { implement } from '../../http/implement.ts'
import { deleteBaseline, findBaseline } from './baseline.repo.ts'

/** Reading is the default of this POST, as the specification has it; only a reset changes anything. */
export const baseline = implement(
  endpoints.baselines.baseline,
  async ({ app, body, db, clock, audit }) => {
    const before = await findBaseline(db, app.id)
    const now = clock.now()
    if (body.action !== 'reset') {
      audit({ skip: true })
      return baselineView(before, now)
    }
    await deleteBaseline(db, app.id)
    audit({ target: app.id, before: { samples: before?.samples ?? 0 }, after: { samples: 0 } })
    return baselineView(undefined, now)
  },
)
