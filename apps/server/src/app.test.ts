import type { ApiKey } from '@merlon/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { harness } from '../testing/harness.ts'
import { buildApp, type App } from './app.ts'
import { openDatabase } from './db/database.ts'
import { createLog } from './log.ts'

/** Node A is the harness's own; B is a second server on the same database. */
describe('two nodes on one database', () => {
  const house = harness()
  const { call, newAccount, signIn, clock } = house
  const opened: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })

  async function openNode(): Promise<App> {
    const { config, keyring } = house.app().services
    const database = openDatabase(house.connection(), {
      connections: 4,
      onError: () => undefined,
    })
    const node = await buildApp({
      config: { ...config, role: 'api' },
      database,
      connection: house.connection(),
      keyring,
      geo: house.geo,
      clock,
      log: createLog('silent'),
    })
    await node.server.ready()
    opened.push(async () => {
      await node.close()
      await database.close()
    })
    return node
  }
  const statusOn = async (node: App, headers: Record<string, string>) =>
    (await node.server.inject({ method: 'GET', url: '/api/auth/me', headers })).statusCode
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const within1s = { timeout: 1_000, interval: 5 }

  it('refuses on B within a second what was revoked on A', async () => {
    const { key } = await newAccount()
    const { data } = await call<ApiKey & { key: string }>('POST', '/api/keys', {
      as: key,
      body: { name: 'Leaked' },
    })
    const b = await openNode()
    expect(await statusOn(b, bearer(data.key))).toBe(200)
    await call('DELETE', `/api/keys/${data.id}`, { as: key })
    await expect.poll(() => statusOn(b, bearer(data.key)), within1s).toBe(401)
  })

  it('knows on B within a second that an account was suspended on A', async () => {
    const { key, id } = await newAccount()
    const b = await openNode()
    expect(await statusOn(b, bearer(key))).toBe(200)
    await call('PATCH', `/api/accounts/${id}`, {
      as: house.operatorKey,
      body: { status: 'suspended' },
    })
    await expect.poll(() => statusOn(b, bearer(key)), within1s).toBe(403)
  })

  it('ends on B within a second a session that ended on A', async () => {
    const { headers, cookie } = await signIn((await newAccount()).signInUrl)
    const b = await openNode()
    expect(await statusOn(b, { cookie })).toBe(200)
    await call('POST', '/api/auth/logout', { headers })
    await expect.poll(() => statusOn(b, { cookie }), within1s).toBe(401)
  })

  it('writes when a key was last used, at the latest when the node stops', async () => {
    const { key } = await newAccount()
    const b = await openNode()
    clock.advance({ minutes: 5 })
    const usedAt = new Date(clock.now()).toISOString()
    await statusOn(b, bearer(key))
    await b.close()
    clock.advance({ minutes: 5 })
    const { data } = await call<ApiKey[]>('GET', '/api/keys', { as: key })
    expect(data.map(({ lastUsedAt }) => lastUsedAt)).toEqual([usedAt])
  })

  it('answers no more after it was closed, and closing twice is no error', async () => {
    const b = await openNode()
    await b.close()
    await b.close()
    expect(b.worker).toBeUndefined()
  })
})
