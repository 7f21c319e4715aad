import { accounts, audit, auth, keys, users } from './accounts.ts'
import { apps } from './apps.ts'
import { baselines, events } from './events.ts'
import type { OpenApiDocument } from './openapi/document.ts'
import { describeEndpoints } from './openapi.ts'
import { webhooks } from './webhooks.ts'

/** Every endpoint of the product, one object. */
export const endpoints = {
  accounts,
  apps,
  audit,
  auth,
  baselines,
  events,
  keys,
  users,
  webhooks,
} as const

/** The published contract, generated from the table: served at /openapi.json, committed as openapi.json. */
export function openApiDocument(): OpenApiDocument {
  return describeEndpoints(endpoints)
}

export type { OpenApiDocument } from './openapi/document.ts'

export {
  authKinds,
  type AppLocation,
  type AuthKind,
  type BodyOf,
  type DataOf,
  type Endpoint,
  type EndpointShape,
  type Limit,
  type MetaOf,
  type Method,
  type ParamsOf,
  type QueryOf,
} from './endpoint.ts'
export {
  defaultAppSettings,
  type Account,
  type ApiKey,
  type App,
  type AppSettings,
  type AppSettingsUpdate,
  type AppSummary,
  type AuditEntry,
  type User,
} from './resources.ts'
export {
  EventInput as EventInputSchema,
  eventLimits,
  type Analytics,
  type Baseline,
  type EventInput,
  type SecurityEvent,
} from './events.ts'
export type { Webhook, WebhookDelivery } from './webhooks.ts'
