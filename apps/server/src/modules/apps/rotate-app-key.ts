import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, required } from '../../http/problem.ts'
import { rotateKey } from './apps.repo.ts'

const HOUR_MS = 3_600_000

export const rotateAppKey = implement(
  endpoints.apps.rotateAppKey,
  async ({ app, query, db, keyring, clock, audit }) => {
    const graceMs = (query.graceHours ?? 24) * HOUR_MS
    const { apiKey, oldKeyExpiresAt } = required(
      await rotateKey(db, keyring, app.id, clock.now(), graceMs),
      notFound('App', app.id),
    )
    audit({ target: app.id, after: { oldKeyExpiresAt: oldKeyExpiresAt.toISOString() } })
    return { apiKey, oldKeyExpiresAt: oldKeyExpiresAt.toISOString() }
  },
)
