import { endpoints, type ApiKey, type AuditEntry, type User } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

const PASSWORD = 'the first password'
const CHANGED = 'the second password'
const AREAS = [
  endpoints.accounts,
  endpoints.apps,
  endpoints.auth,
  endpoints.keys,
  endpoints.users,
] as const

/** Every state-changing call of these areas once, and then a look at what the log says of them. */
describe('the audit log', () => {
  const { call, newAccount, newApp, signIn, operatorKey, db } = harness()
  const secrets: string[] = [PASSWORD, CHANGED]
  const requestIds = new Map<string, string>()
  let log: AuditEntry[]
  let operatorLog: AuditEntry[]
  let account: Awaited<ReturnType<typeof newAccount>>
  let appId: string

  const remember = async <Data>(
    action: string,
    made: ReturnType<typeof call<Data>>,
  ): Promise<Data> => {
    const reply = await made
    expect(reply.status).toBeLessThan(300)
    requestIds.set(action, String(reply.headers['x-request-id']))
    return reply.data
  }

  beforeAll(async () => {
    account = await newAccount()
    const { key: as, userId, id } = account
    const { headers, cookie, csrf } = await signIn(account.signInUrl)
    secrets.push(as, cookie.split('=')[1] ?? '', csrf, account.signInUrl.split('#token=')[1] ?? '')
    const person = await remember(
      'user.create',
      call<User & { signInLink: { url: string } }>('POST', '/api/users', {
        as,
        body: { email: 'audited@example.test' },
      }),
    )
    const link = await remember(
      'user.link',
      call<{ url: string }>('POST', `/api/users/${person.id}/sign-in-link`, { as }),
    )
    secrets.push(...[link.url, person.signInLink.url].map((url) => url.split('#token=')[1] ?? ''))
    await remember('user.delete', call('DELETE', `/api/users/${person.id}`, { as }))
    const made = await remember(
      'key.create',
      call<ApiKey & { key: string }>('POST', '/api/keys', { headers, body: { name: 'CI' } }),
    )
    secrets.push(made.key)
    await remember('key.delete', call('DELETE', `/api/keys/${made.id}`, { as: made.key }))
    const app = await newApp(as)
    appId = app.id
    secrets.push(app.apiKey)
    const body = { name: 'Store' }
    await remember('app.update', call('PATCH', `/api/apps/${app.id}`, { as, body }))
    const shield = { mode: 'strict' }
    await remember(
      'app.settings.update',
      call('PATCH', `/api/apps/${app.id}/settings`, { as, body: { shield } }),
    )
    const rotated = await remember(
      'app.key.rotate',
      call<{ apiKey: string }>('POST', `/api/apps/${app.id}/rotate-key`, { as }),
    )
    secrets.push(rotated.apiKey)
    await remember(
      'app.plan.set',
      call('PUT', `/api/apps/${app.id}/plan`, { as: operatorKey, body: { plan: 'pro' } }),
    )
    await remember('app.delete', call('DELETE', `/api/apps/${app.id}`, { as }))
    await remember(
      'auth.password',
      call('POST', '/api/auth/password', { headers, body: { newPassword: PASSWORD } }),
    )
    await call('POST', '/api/auth/password', {
      headers,
      body: { currentPassword: PASSWORD, newPassword: CHANGED },
    })
    const login = { email: account.email, password: CHANGED }
    await remember('auth.login', call('POST', '/api/auth/login', { body: login }))
    await remember('auth.logout', call('POST', '/api/auth/logout', { headers }))
    await remember(
      'account.update',
      call('PATCH', `/api/accounts/${id}`, { as: operatorKey, body: { name: 'Renamed' } }),
    )
    expect(userId).toMatch(/^user_/)
    log = (await call<AuditEntry[]>('GET', '/api/audit?limit=100', { as })).data
    operatorLog = (await call<AuditEntry[]>('GET', '/api/audit?limit=100', { as: operatorKey }))
      .data
  })

  const entryOf = (action: string) =>
    [...log, ...operatorLog].find((entry) => entry.action === action)

  it('has an entry for every kind of state-changing call', () => {
    const actions = AREAS.flatMap((area) => Object.values(area)).flatMap(
      ({ audit }: { audit?: unknown }) => (typeof audit === 'string' ? [audit] : []),
    )
    expect(actions.length).toBeGreaterThan(15)
    expect(actions.filter((action) => entryOf(action) === undefined)).toEqual([])
  })

  it('has one entry for each call', () => {
    const counted = (action: string) => log.filter((entry) => entry.action === action).length
    expect(['app.create', 'app.update', 'app.delete', 'key.create'].map(counted)).toEqual([
      1, 1, 1, 1,
    ])
    expect(counted('auth.password')).toBe(2)
  })

  it('names the request, so that the entry is found from the answer and from the log', () => {
    for (const [action, requestId] of requestIds) {
      if (action !== 'auth.password') expect(entryOf(action)?.requestId).toBe(requestId)
    }
  })

  it('says from where', () => {
    expect(new Set([...log, ...operatorLog].map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']))
    expect(log[0]?.userAgent).toContain('lightMyRequest')
  })

  it('names the API key that did it', () => {
    expect(entryOf('app.update')?.actor).toEqual({
      kind: 'key',
      id: expect.stringMatching(/^key_/) as string,
      name: 'First key',
    })
  })

  it('names the person who did it in a session, and who signed in', () => {
    const person = { kind: 'user', id: account.userId, name: account.email }
    for (const action of [
      'key.create',
      'auth.link',
      'auth.login',
      'auth.logout',
      'auth.password',
    ]) {
      expect(entryOf(action)?.actor).toEqual(person)
    }
  })

  it('shows what stood before and what stands after', () => {
    expect(entryOf('app.update')).toMatchObject({
      target: appId,
      before: { name: 'Shop' },
      after: { name: 'Store' },
    })
    expect(entryOf('app.settings.update')).toMatchObject({
      before: { shield: { mode: 'permissive' } },
      after: { shield: { mode: 'strict' } },
    })
    expect(entryOf('app.plan.set')).toMatchObject({
      before: { plan: 'free' },
      after: { plan: 'pro' },
    })
    expect(entryOf('app.delete')).toMatchObject({ before: { name: 'Store' }, after: null })
    expect(entryOf('key.create')).toMatchObject({ before: null, after: { name: 'CI' } })
  })

  it("keeps the operator's doings in the operator's log", () => {
    expect(operatorLog.map(({ action }) => action)).toEqual([
      'account.update',
      'app.plan.set',
      'account.create',
    ])
  })

  it('holds no key, password or token, in whatever column', async () => {
    const rows = await db().selectFrom('audit_log').selectAll().execute()
    const text = JSON.stringify(rows)
    expect(secrets.length).toBeGreaterThan(9)
    expect(secrets.filter((secret) => secret.length < 12)).toEqual([])
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).not.toContain('scrypt$')
  })

  it('has no entry of a call that was refused', async () => {
    const before = await call('GET', '/api/audit/verify', { as: account.key })
    await call('POST', '/api/apps', { as: account.key, body: { name: '' } })
    await call('DELETE', `/api/users/${account.userId}`, { as: account.key })
    await call('DELETE', `/api/apps/${appId}`, { as: account.key })
    expect((await call('GET', '/api/audit/verify', { as: account.key })).data).toEqual(before.data)
  })

  it('believes no forwarded address that no trusted proxy wrote', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    await call('POST', '/api/apps', { as: account.key, headers, body: { name: 'x' } })
    const { data } = await call<AuditEntry[]>('GET', '/api/audit?limit=1', { as: account.key })
    expect(data[0]?.ip).toBe('127.0.0.1')
  })
})
