import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { toApp } from './apps.repo.ts'

export const getApp = implement(endpoints.apps.getApp, ({ app, keyring }) => toApp(app, keyring))
