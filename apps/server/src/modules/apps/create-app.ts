import { defaultAppSettings, endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { insertApp, toApp, toAuditable } from './apps.repo.ts'

export const createApp = implement(
  endpoints.apps.createApp,
  async ({ caller, body, db, keyring, clock, config, audit }) => {
    const input = {
      accountId: caller.accountId,
      name: body.name,
      githubRepo: body.githubRepo ?? null,
      plan: config.defaultPlan,
      settings: defaultAppSettings,
    }
    const app = await insertApp(db, keyring, input, clock.now())
    audit({ target: app.id, after: toAuditable(app) })
    return toApp(app, keyring)
  },
)
