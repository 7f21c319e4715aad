import type { Command } from '../command.ts'
import { accountsCreate, accountsList, accountsReinstate, accountsSuspend } from './accounts.ts'
import { appsSettings } from './apps-settings.ts'
import {
  appsCreate,
  appsDelete,
  appsGet,
  appsList,
  appsPlan,
  appsRotateKey,
  appsUpdate,
} from './apps.ts'
import { auditList, auditVerify } from './audit.ts'
import { backup, restore } from './backup.ts'
import { baselineGet, baselineReset } from './baseline.ts'
import { doctor } from './doctor.ts'
import { eventsAnalytics } from './events-analytics.ts'
import { eventsIngest } from './events-ingest.ts'
import { eventsSearch } from './events-search.ts'
import { eventsTail } from './events-tail.ts'
import { eventsErase, eventsExport } from './events-user.ts'
import { keysCreate, keysDelete, keysGenerate, keysList } from './keys.ts'
import { login } from './login.ts'
import { usersAdd, usersLink, usersList, usersRemove } from './users.ts'
import { webhooksDeliveries, webhooksReplay, webhooksTest } from './webhook-deliveries.ts'
import { webhooksCreate, webhooksDelete, webhooksList, webhooksUpdate } from './webhooks.ts'

/** Every command, in the order of the help text. */
export const commands: readonly Command[] = [
  login,
  appsList,
  appsGet,
  appsCreate,
  appsUpdate,
  appsDelete,
  appsSettings,
  appsRotateKey,
  appsPlan,
  eventsTail,
  eventsSearch,
  eventsIngest,
  eventsAnalytics,
  eventsExport,
  eventsErase,
  baselineGet,
  baselineReset,
  webhooksList,
  webhooksCreate,
  webhooksUpdate,
  webhooksDelete,
  webhooksTest,
  webhooksDeliveries,
  webhooksReplay,
  keysList,
  keysCreate,
  keysDelete,
  keysGenerate,
  usersList,
  usersAdd,
  usersRemove,
  usersLink,
  accountsList,
  accountsCreate,
  accountsSuspend,
  accountsReinstate,
  auditList,
  auditVerify,
  doctor,
  backup,
  restore,
]

export const groups: Readonly<Record<string, string>> = {
  accounts: 'The accounts of this server (operator)',
  apps: 'The apps of the account',
  audit: 'The audit log of the account',
  baseline: 'What is usual for an app',
  events: 'Security events: live, stored and sent in',
  keys: 'API keys of the account',
  users: 'The people of the account',
  webhooks: 'Events sent on to addresses of your own',
}
