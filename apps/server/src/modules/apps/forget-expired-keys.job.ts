import { defineJob, defineSchedule } from '../../jobs/index.ts'
import { deleteExpiredAppKeys } from './apps.repo.ts'

const KIND = 'apps.forget-expired-keys'

export const forgetExpiredKeys = defineJob({
  kind: KIND,
  run: async ({ db, clock }) => deleteExpiredAppKeys(db, clock.now()),
})

export const forgetExpiredKeysHourly = defineSchedule({
  name: KIND,
  cron: '23 * * * *',
  kind: KIND,
  payload: {},
})
