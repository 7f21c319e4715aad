import { endpoints, type AppSettings, type AppSettingsUpdate } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import { settingsForUpdate, writeSettings } from './apps.repo.ts'

export const updateAppSettings = implement(
  endpoints.apps.updateAppSettings,
  async ({ app, body, db, clock, audit }) => {
    const before = required(await settingsForUpdate(db, app.id), notFound('App', app.id))
    const after = mergeSettings(before, body)
    await writeSettings(db, app.id, after, clock.now())
    audit({ target: app.id, before, after })
    return after
  },
)

/** Sections and keys that are not named stay as they are; a list is replaced whole. */
function mergeSettings(settings: AppSettings, change: AppSettingsUpdate): AppSettings {
  return {
    scanner: { ...settings.scanner, ...change.scanner },
    shield: { ...settings.shield, ...change.shield },
    vault: { ...settings.vault, ...change.vault },
    monitor: { ...settings.monitor, ...change.monitor },
  }
}
