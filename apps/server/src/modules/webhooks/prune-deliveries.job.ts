import type { Clock } from '@merlon/base'
import type { Db } from '../../db/database.ts'
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts'
import { deleteDeliveriesOf, deleteOldDeliveries } from './prune.repo.ts'

const KEPT_MS = 30 * 24 * 60 * 60_000
const BITE_ROWS = 5_000

export const pruneDeliveries = defineJob({
  kind: 'webhooks.prune',
  async run({ db, clock, signal }) {
    const before = new Date(clock.now() - KEPT_MS)
    let deleted = 0
    for (;;) {
      signal.throwIfAborted()
      const bite = await deleteOldDeliveries(db, before, BITE_ROWS)
      deleted += bite
      if (bite < BITE_ROWS) return { deleted }
    }
  },
})

export const pruneDeliveriesHourly = defineSchedule({
  name: pruneDeliveries.kind,
  cron: '23 * * * *',
  kind: pruneDeliveries.kind,
})

const DELETE_KIND = 'webhooks.delete-deliveries'

/** A webhook goes at once; its log, which may be long, follows. */
export async function enqueueLogDeletion(db: Db, webhookId: string, clock: Clock): Promise<void> {
  await enqueue(db, { kind: DELETE_KIND, payload: { webhookId }, uniqueKey: webhookId }, clock)
}

export const deleteLog = defineJob<{ readonly webhookId: string }>({
  kind: DELETE_KIND,
  attemptsMax: 20,
  async run({ payload, db, signal }) {
    while ((await deleteDeliveriesOf(db, payload.webhookId, BITE_ROWS)) > 0) {
      signal.throwIfAborted()
    }
  },
})
