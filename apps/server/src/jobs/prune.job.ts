import { defineJob } from './job.ts'
import { deleteFinishedJobs } from './queue.repo.ts'
import { defineSchedule } from './schedule.ts'

const KEPT_MS = 7 * 24 * 60 * 60_000
const BITE_ROWS = 5_000

/** Finished jobs are for people who look back a few days, not for ever. */
export const pruneJobs = defineJob({
  kind: 'jobs.prune',
  async run({ db, clock, signal }) {
    const before = new Date(clock.now() - KEPT_MS)
    let deleted = 0
    for (;;) {
      signal.throwIfAborted()
      const bite = await deleteFinishedJobs(db, before, BITE_ROWS)
      deleted += bite
      if (bite < BITE_ROWS) return { deleted }
    }
  },
})

export const pruneSchedule = defineSchedule({
  name: 'jobs.prune',
  cron: '17 * * * *',
  kind: pruneJobs.kind,
})
