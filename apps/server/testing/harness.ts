import { createKey } from '@merlon/base'
import type { Account, App as AppResource } from '@merlon/contract'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { buildApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/log.ts'
import { bootstrap } from '../src/modules/accounts/index.ts'
import { createKeyring } from '../src/secrets/keyring.ts'
import { fakeGeo } from './fake-geo.ts'
import { FakeClock } from './fake-clock.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface Reply<Data> {
  readonly status: number
  readonly ok: boolean
  readonly data: Data
  readonly meta: Record<string, unknown>
  readonly error: string
  readonly headers: LightMyRequestResponse['headers']
  readonly raw: LightMyRequestResponse
}

export interface Asking {
  readonly as?: string
  readonly appKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * A whole server on a database of its own, for the tests of one file: real PostgreSQL, real HTTP
 * parsing through inject, and a clock that the test turns. `env` overrides settings.
 */
export function harness(env: Readonly<Record<string, string>> = {}) {
  const clock = new FakeClock()
  const geo = fakeGeo()
  const operatorKey = createKey('account')
  let app: App
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    const generous = Object.fromEntries(
      ['ACCOUNT', 'INGEST', 'PUBLIC', 'LOGIN'].map((name) => [`MERLON_LIMIT_${name}`, '10000000']),
    )
    const config = readConfig({ MERLON_PUBLIC_URL: 'http://merlon.test', ...generous, ...env })
    const keyring = createKeyring('a secret for tests, of thirty-two characters or more')
    const { db, pool, connection } = database
    app = await buildApp({
      config,
      database: { db, pool, close: async () => undefined },
      connection,
      keyring,
      geo,
      clock,
      log: createLog('silent'),
    })
    await bootstrap(db, keyring, {
      apiKey: operatorKey,
      publicUrl: 'http://merlon.test',
      now: clock.now(),
    })
    await app.server.ready()
  })

  afterAll(async () => {
    await app?.close()
    await database?.drop()
  })

  async function call<Data = Record<string, never>>(
    method: InjectOptions['method'] & string,
    url: string,
    { as, appKey, headers, body }: Asking = {},
  ): Promise<Reply<Data>> {
    const raw = await app.server.inject({
      method,
      url,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(appKey === undefined ? {} : { 'x-api-key': appKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(raw.headers['content-type']).startsWith('application/json')
    const answer = isJson
      ? raw.json<{ ok: boolean; data: Data; meta: Record<string, unknown>; error: string }>()
      : undefined
    return {
      status: raw.statusCode,
      ok: answer?.ok ?? false,
      data: answer?.data as Data,
      meta: answer?.meta ?? {},
      error: answer?.error ?? '',
      headers: raw.headers,
      raw,
    }
  }

  let people = 0
  /** A customer's account with an API key of its own. */
  async function newAccount(): Promise<{
    id: string
    key: string
    email: string
    userId: string
    signInUrl: string
  }> {
    const email = `person-${++people}-${clock.now()}@example.test`
    const { data } = await call<
      Account & { apiKey: string; user: { id: string }; signInLink: { url: string } }
    >('POST', '/api/accounts', { as: operatorKey, body: { name: `Account ${people}`, email } })
    return {
      id: data.id,
      key: data.apiKey,
      email,
      userId: data.user.id,
      signInUrl: data.signInLink.url,
    }
  }

  async function newApp(key: string, name = 'Shop'): Promise<AppResource> {
    return (await call<AppResource>('POST', '/api/apps', { as: key, body: { name } })).data
  }

  /** A signed-in person: the headers that a browser would send. */
  async function signIn(
    signInUrl: string,
  ): Promise<{ headers: Record<string, string>; csrf: string; cookie: string }> {
    const token = signInUrl.split('#token=')[1] ?? ''
    const reply = await call<{ csrfToken: string }>('POST', '/api/auth/link', { body: { token } })
    const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
    return {
      headers: { cookie, 'x-csrf-token': reply.data.csrfToken },
      csrf: reply.data.csrfToken,
      cookie,
    }
  }

  return {
    call,
    clock,
    newAccount,
    newApp,
    operatorKey,
    signIn,
    /** For looking at what was stored, and for planting what the API would not. */
    db: () => database.db,
    connection: () => database.connection,
    server: () => app.server,
    app: () => app,
    geo,
    /** Until what came in has been counted and looked at. */
    settle: async () => app.services.events.settle(),
    /** Until every background job that is due has run. */
    jobsDone: async () => app.worker?.idle(),
  }
}
