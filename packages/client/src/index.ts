export { ApiError } from './api-error.ts'
export { createClient, type ClientOptions } from './client.ts'
export type { Answer, Client, InputOf } from './client-types.ts'

// The words of the API, so that whoever holds a client needs no second import to name its answers.
export type { ApiKey, App, AppSettings, AppSettingsUpdate, AppSummary } from '@merlon/contract'
