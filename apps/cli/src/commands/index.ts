import type { Command } from '../command.ts'
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
import { doctor } from './doctor.ts'
import { keysCreate, keysDelete, keysGenerate, keysList } from './keys.ts'
import { login } from './login.ts'

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
  keysList,
  keysCreate,
  keysDelete,
  keysGenerate,
  auditList,
  auditVerify,
  doctor,
  backup,
  restore,
]

export const groups: Readonly<Record<string, string>> = {
  apps: 'The apps of the account',
  audit: 'The audit log of the account',
  keys: 'API keys of the account',
}
