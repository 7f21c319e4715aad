import { endpoints, type Endpoint } from '@merlon/contract'
import { openNoticeBoard } from '../src/db/notices.ts'
import { CredentialCache } from '../src/http/credential-cache.ts'
import { createMetrics } from '../src/http/metrics.ts'
import { mount } from '../src/http/mount.ts'
import { createServer } from '../src/http/server.ts'
import { createLog } from '../src/log.ts'
import { findByAppKeyHash } from '../src/modules/apps/index.ts'
import type { harness } from './harness.ts'

export interface AppKeyDoor {
  /** The status that a call with this app key gets. */
  status(key: string): Promise<number>
  close(): Promise<void>
}

/** Another node of the same installation with one door, which asks for the key of an app. */
export async function openAppKeyDoor(house: ReturnType<typeof harness>): Promise<AppKeyDoor> {
  const { services } = house.app()
  const log = createLog('silent')
  const server = createServer({
    config: services.config,
    log,
    metrics: createMetrics(),
    now: () => house.clock.now(),
  })
  const cache = new CredentialCache(house.clock)
  const notices = await openNoticeBoard(house.connection(), () => undefined)
  await notices.on('merlon_credentials', () => cache.clear())
  notices.onConnection((connected) => cache.setConnected(connected))
  const { params: _params, app: _app, ...rest } = endpoints.apps.getApp as Endpoint
  const endpoint: Endpoint = { ...rest, path: '/test/app-key', auth: 'app' }
  const none = async (): Promise<undefined> => undefined
  mount(
    server,
    {
      endpoint,
      handle: none,
      handleRaw: async (_call, _request, reply) => reply.code(204).send(),
    },
    {
      services,
      keyring: services.keyring,
      db: house.db(),
      cache,
      lookups: {
        findAccountByKeyHash: none,
        findAccountBySessionHash: none,
        findApp: none,
        findAppByKeyHash: (hash) => findByAppKeyHash(house.db(), hash),
      },
      recordAudit: async () => undefined,
    },
  )
  return {
    async status(key) {
      const headers = { 'x-api-key': key }
      return (await server.inject({ method: 'GET', url: '/test/app-key', headers })).statusCode
    },
    async close() {
      await server.close()
      await notices.close()
    },
  }
}
