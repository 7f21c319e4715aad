import { openApiDocument } from '@merlon/contract'
import type { Clock } from '@merlon/base'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { PoolConfig } from 'pg'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { unreadyParts } from './db/migrate.ts'
import { openNoticeBoard } from './db/notices.ts'
import type { Geo } from './geo/index.ts'
import { CredentialCache } from './http/credential-cache.ts'
import type { Services } from './http/implement.ts'
import { createMetrics } from './http/metrics.ts'
import { mount } from './http/mount.ts'
import { mountPages, pagePaths } from './http/pages.ts'
import { RateLimiter } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { answerUnknownPaths } from './http/unknown-paths.ts'
import { startWorker, type Worker } from './jobs/index.ts'
import { modules } from './modules.ts'
import {
  appendAudit,
  findByKeyHash,
  findBySessionHash,
  LastUsed,
} from './modules/accounts/index.ts'
import { startEvents } from './modules/events/index.ts'
import { findApp, findByAppKeyHash } from './modules/apps/index.ts'
import { startWebhooks, type WebhooksRuntime } from './modules/webhooks/index.ts'
import type { Keyring } from './secrets/keyring.ts'

export interface AppDeps {
  readonly config: Config
  readonly database: Database
  /** For the connections that a pool cannot lend: notices. */
  readonly connection: PoolConfig
  readonly keyring: Keyring
  readonly geo: Geo
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export interface App {
  readonly server: FastifyInstance
  readonly worker: Worker | undefined
  readonly services: Services
  readonly webhooks: WebhooksRuntime
  /** Answers no more new work, ends what is under way, and leaves nothing running. */
  close(): Promise<void>
}

const LAST_USED_EVERY_MS = 60_000
const WORKER_CONCURRENCY = 2
const CLOSE_MS = 5_000

/** Hangs the doors of http on the rooms of modules. Knows everything, decides nothing. */
export async function buildApp({
  config,
  database,
  connection,
  keyring,
  geo,
  clock,
  log,
}: AppDeps): Promise<App> {
  const { db } = database
  const metrics = createMetrics()
  const server = createServer({ config, log, metrics, now: () => clock.now() })
  const notices = await openNoticeBoard(connection, (message, error) =>
    log.warn({ err: error }, message),
  )
  const webhooks = await startWebhooks({
    db,
    pool: database.pool,
    clock,
    log,
    keyring,
    allowPrivate: config.privateTargets,
    works: config.role !== 'api',
  })
  const events = await startEvents({
    pool: database.pool,
    notices,
    geo,
    clock,
    log,
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
    works: config.role !== 'api',
    onStored: (appIds) => webhooks.ring(appIds),
  })
  const services: Services = {
    events,
    clock,
    config,
    keyring,
    log,
    limiter: new RateLimiter(
      {
        account: config.limits.accountPerMinute,
        ingest: config.limits.ingestPerMinute,
        login: config.limits.loginPerMinute,
        public: config.limits.publicPerMinute,
        stream: config.limits.publicPerMinute,
      },
      clock,
    ),
    publicUrl: () => config.publicUrl ?? addressOf(server),
  }

  const cache = new CredentialCache(clock)
  await notices.on('merlon_credentials', () => cache.clear())
  notices.onConnection((connected) => cache.setConnected(connected))

  const lastUsed = new LastUsed()
  const lookups = {
    findAccountByKeyHash: (hash: Buffer) => findByKeyHash(db, hash),
    findAccountBySessionHash: (hash: Buffer) => findBySessionHash(db, hash),
    findAppByKeyHash: (hash: Buffer) => findByAppKeyHash(db, hash),
    findApp: (id: string) => findApp(database.pool, id),
  }
  server.addHook('onResponse', ({ caller }, _reply, done) => {
    if (caller?.kind === 'account' && caller.keyId !== undefined)
      lastUsed.note(caller.keyId, clock.now())
    done()
  })
  const flushing = setInterval(() => {
    lastUsed
      .flush(db)
      .catch((error: unknown) => log.warn({ err: error }, 'last-used times not written'))
  }, LAST_USED_EVERY_MS)

  let closing = false
  const unready = async (): Promise<readonly string[]> => {
    if (closing) return ['the server is stopping']
    return unreadyParts(database.pool)
  }
  const implementations = modules.flatMap((module) => module.endpoints)
  const doors = {
    services,
    keyring,
    db,
    cache,
    lookups,
    recordAudit: async (tx: typeof db, entry: Parameters<typeof appendAudit>[1]) =>
      appendAudit(tx, entry, clock.now()),
  }
  for (const implementation of implementations) mount(server, implementation, doors)
  mountPages(server, { config, metrics, openApi: openApiDocument(), unready })
  answerUnknownPaths(
    server,
    implementations.map(({ endpoint }) => endpoint),
    pagePaths,
  )

  const worker =
    config.role === 'api'
      ? undefined
      : startWorker({
          db,
          pool: database.pool,
          clock,
          log,
          concurrency: WORKER_CONCURRENCY,
          handlers: modules.flatMap((module) => module.jobs?.(services) ?? []),
          schedules: modules.flatMap((module) => module.schedules ?? []),
        })

  return {
    server,
    worker,
    services,
    webhooks,
    async close() {
      if (closing) return
      closing = true
      clearInterval(flushing)
      await events.hub.close()
      await closeServer(server)
      await events.close()
      await webhooks.close()
      await worker?.stop({ timeoutMs: 10_000 })
      await lastUsed
        .flush(db)
        .catch((error: unknown) => log.warn({ err: error }, 'last-used times not written'))
      await notices.close()
      await geo.close()
    },
  }
}

/** A connection that never sent anything does not count as idle, and would hold us for a minute. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const deadline = setTimeout(() => server.server.closeAllConnections(), CLOSE_MS)
  await server.close()
  clearTimeout(deadline)
}

function addressOf(server: FastifyInstance): string {
  const address = server.server.address()
  if (address === null || typeof address === 'string') return 'http://127.0.0.1'
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
