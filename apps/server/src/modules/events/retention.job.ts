import type pg from 'pg'
import { defineJob, defineSchedule, type JobDefinition } from '../../jobs/index.ts'
import { dropPartitionsBefore, ensurePartitions } from './partitions.repo.ts'
import { deleteOldEvents, deleteOldMemory, listRetentions } from './retention.repo.ts'

const KIND = 'events.retention'
const DAY_MS = 86_400_000
/** How long a client may send an event again and have it counted once. */
export const CLIENT_ID_DAYS = 7
const ANSWER_DAYS = 2
const SOURCE_DAYS = 1
const STATE_DAYS = 90
const ROLLUP_DAYS = 400

/** Partitions ahead, whole days behind everybody's retention dropped, single apps' rows deleted in batches. */
export function retentionJob(pool: pg.Pool): JobDefinition {
  return defineJob({
    kind: KIND,
    async run({ db, clock, log, signal }) {
      const now = clock.now()
      await ensurePartitions(pool, now)
      const retentions = await listRetentions(db)
      const longest = Math.max(1, ...retentions.map((app) => app.days))
      const dropped = await dropPartitionsBefore(pool, new Date(now - longest * DAY_MS))
      let deleted = 0
      for (const { id, days } of retentions) {
        const before = new Date(now - days * DAY_MS)
        for (let n = -1; n !== 0; deleted += n) {
          signal.throwIfAborted()
          n = await deleteOldEvents(db, id, before)
        }
      }
      const ago = (days: number): Date => new Date(now - days * DAY_MS)
      await deleteOldMemory(db, {
        clientIds: ago(CLIENT_ID_DAYS),
        answers: ago(ANSWER_DAYS),
        sources: ago(SOURCE_DAYS),
        states: ago(STATE_DAYS),
        rollups: ago(ROLLUP_DAYS),
      })
      log.info({ dropped, deleted }, 'event retention')
      return { dropped, deleted }
    },
  })
}

export const retentionHourly = defineSchedule({
  name: KIND,
  cron: '41 * * * *',
  kind: KIND,
  payload: {},
})
