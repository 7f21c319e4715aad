import type { Module } from '../../module.ts'
import { createApp } from './create-app.ts'
import { deleteApp } from './delete-app.ts'
import { deleteAppData } from './delete-app-data.job.ts'
import { forgetExpiredKeys, forgetExpiredKeysHourly } from './forget-expired-keys.job.ts'
import { getApp } from './get-app.ts'
import { listApps } from './list-apps.ts'
import { rotateAppKey } from './rotate-app-key.ts'
import { setAppPlan } from './set-app-plan.ts'
import { updateApp } from './update-app.ts'
import { updateAppSettings } from './update-app-settings.ts'

export const apps: Module = {
  name: 'apps',
  endpoints: [
    createApp,
    deleteApp,
    getApp,
    listApps,
    rotateAppKey,
    setAppPlan,
    updateApp,
    updateAppSettings,
  ],
  jobs: () => [deleteAppData, forgetExpiredKeys],
  schedules: [forgetExpiredKeysHourly],
}

export { findByAppKeyHash } from './app-principal.repo.ts'
export { deleteExpiredAppKeys, findApp } from './apps.repo.ts'
