export { ApiError } from './api-error.ts'
export { createClient, type ClientOptions } from './client.ts'
export type { Answer, Client, InputOf } from './client-types.ts'
