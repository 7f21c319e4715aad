import { plans } from '@merlon/base'
import { Type, type Static } from 'typebox'
import { closed, idOf, isoDate, nullable, oneOf, partial, text, wholeNumber } from './shapes.ts'

export const AppId = idOf('app')
export const PlanName = oneOf(plans)

export const AppName = text(100)
export const GithubRepo = Type.String({
  maxLength: 140,
  pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$',
  description: 'owner/repo',
})
export const GithubInstallationId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

const scanner = {
  blockOnCritical: Type.Boolean(),
  blockOnHigh: Type.Boolean(),
  scanOnPush: Type.Boolean(),
}
const shield = { mode: oneOf(['off', 'permissive', 'strict']), botDetection: Type.Boolean() }
const vault = {
  sensitiveFields: Type.Array(text(100), { maxItems: 200, uniqueItems: true }),
  keyRotationDays: wholeNumber(1, 3650),
}
const monitor = { eventRetentionDays: wholeNumber(1, 3650) }

export const AppSettings = closed({
  scanner: closed(scanner),
  shield: closed(shield),
  vault: closed(vault),
  monitor: closed(monitor),
})
export type AppSettings = Static<typeof AppSettings>

export const AppSettingsUpdate = closed({
  scanner: Type.Optional(partial(scanner)),
  shield: Type.Optional(partial(shield)),
  vault: Type.Optional(partial(vault)),
  monitor: Type.Optional(partial(monitor)),
})
export type AppSettingsUpdate = Static<typeof AppSettingsUpdate>

/** spec.md, section 2: what an app starts with. */
export const defaultAppSettings: AppSettings = {
  scanner: { blockOnCritical: true, blockOnHigh: false, scanOnPush: true },
  shield: { mode: 'permissive', botDetection: true },
  vault: { sensitiveFields: ['email', 'phone', 'ssn'], keyRotationDays: 90 },
  monitor: { eventRetentionDays: 90 },
}

const appFields = {
  id: AppId,
  name: AppName,
  apiKey: Type.String(),
  securityScore: Type.Number({ minimum: 0, maximum: 100 }),
  plan: PlanName,
  status: oneOf(['active', 'suspended']),
  githubRepo: nullable(Type.String()),
  githubInstallationId: nullable(Type.Integer()),
  createdAt: isoDate,
  updatedAt: isoDate,
}

export const AppSummary = closed(appFields)
export type AppSummary = Static<typeof AppSummary>
export const App = closed({ ...appFields, settings: AppSettings })
export type App = Static<typeof App>

export const Account = closed({
  id: idOf('account'),
  name: Type.String(),
  role: oneOf(['operator', 'customer']),
  status: oneOf(['active', 'suspended']),
  createdAt: isoDate,
})
export type Account = Static<typeof Account>

export const User = closed({
  id: idOf('user'),
  email: Type.String(),
  name: nullable(Type.String()),
  hasPassword: Type.Boolean(),
  lastSignInAt: nullable(isoDate),
  createdAt: isoDate,
})
export type User = Static<typeof User>

export const ApiKey = closed({
  id: idOf('key'),
  name: Type.String(),
  hint: Type.String({ description: 'The first characters of the key, to tell keys apart.' }),
  createdAt: isoDate,
  lastUsedAt: nullable(isoDate),
  expiresAt: nullable(isoDate),
})
export type ApiKey = Static<typeof ApiKey>

export const AuditEntry = closed({
  id: idOf('audit'),
  sequence: Type.Integer(),
  action: Type.String(),
  actor: closed({
    kind: oneOf(['user', 'key', 'system', 'anonymous']),
    id: nullable(Type.String()),
    name: nullable(Type.String()),
  }),
  target: nullable(Type.String()),
  ip: nullable(Type.String()),
  userAgent: nullable(Type.String()),
  requestId: nullable(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
  at: isoDate,
  hash: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>
