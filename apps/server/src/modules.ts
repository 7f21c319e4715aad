import type { Module } from './module.ts'
import { accounts } from './modules/accounts/index.ts'
import { apps } from './modules/apps/index.ts'
import { events } from './modules/events/index.ts'
import { webhooks } from './modules/webhooks/index.ts'

/** Every room, lower floors first. */
export const modules: readonly Module[] = [accounts, apps, events, webhooks]
