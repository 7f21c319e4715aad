export { ApiError } from './api-error.ts'
export { createClient } from './client.ts'
export type { Answer, Client, Drop, FollowInput, InputOf, StreamInput } from './client-types.ts'
export { sleep, type ClientOptions } from './send.ts'
export { createSseParser, type StreamFrame } from './sse-parser.ts'

// The words of the API, so that whoever holds a client needs no second import to name its answers.
export {
  eventLimits,
  type Account,
  type Analytics,
  type ApiKey,
  type App,
  type AppSettings,
  type AppSettingsUpdate,
  type AppSummary,
  type Baseline,
  type SecurityEvent,
  type User,
  type Webhook,
  type WebhookDelivery,
} from '@merlon/contract'
