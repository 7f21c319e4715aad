import { defineJob, defineSchedule } from '../../jobs/index.ts'
import { deleteExpiredSessions } from './sessions.repo.ts'

const KIND = 'accounts.forget-expired'

export const forgetExpired = defineJob({
  kind: KIND,
  run: async ({ db, clock }) => deleteExpiredSessions(db, clock.now()),
})

export const forgetExpiredHourly = defineSchedule({
  name: KIND,
  cron: '17 * * * *',
  kind: KIND,
  payload: {},
})
