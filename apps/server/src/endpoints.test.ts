import { authKinds, endpoints, type AuthKind, type Endpoint } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../testing/harness.ts'
import { ask, askCell } from '../testing/matrix/ask.ts'
import { cellOf, conditions } from '../testing/matrix/cells.ts'
import { rows } from '../testing/matrix/rows.ts'
import { openScene, WEBHOOK_SECRET } from '../testing/matrix/scene.ts'
import { modules } from './modules.ts'

const table: readonly (readonly [name: string, endpoint: Endpoint])[] = Object.entries(
  endpoints,
).flatMap(([area, group]) =>
  Object.entries(group).map(
    ([name, endpoint]) => [`${area}.${name}`, endpoint as Endpoint] as const,
  ),
)

/** Doors that are not the account's own. Whoever adds one must say so here. */
const unusualDoors: Readonly<Partial<Record<AuthKind, readonly string[]>>> = {
  app: ['events.ingestEvents'],
  operator: [
    'accounts.createAccount',
    'accounts.listAccounts',
    'accounts.updateAccount',
    'apps.setAppPlan',
  ],
  public: ['auth.login', 'auth.redeemSignInLink'],
  session: ['auth.logout', 'auth.setPassword'],
  stream: ['events.streamEvents'],
  webhook: [],
}

describe('the endpoint table', () => {
  it.each(table)('%s declares who may call it', (_name, endpoint) => {
    expect(authKinds).toContain(endpoint.auth)
  })

  it.each(Object.entries(unusualDoors))(
    'opens to %s exactly what is listed here',
    (auth, names) => {
      const found = table.filter(([, endpoint]) => endpoint.auth === auth).map(([name]) => name)
      expect(found.toSorted()).toEqual(names)
    },
  )

  it('has every account call that names an app checked for its owner', () => {
    const unchecked = table.filter(
      ([, endpoint]) =>
        ['account', 'session', 'operator'].includes(endpoint.auth) &&
        namesApp(endpoint) &&
        endpoint.app === undefined,
    )
    expect(unchecked.map(([name]) => name)).toEqual([])
  })

  it('asks for a plan only where the app is known', () => {
    const unknown = table.filter(
      ([, { plan, app, auth }]) => plan !== undefined && app === undefined && auth !== 'app',
    )
    expect(unknown.map(([name]) => name)).toEqual([])
  })

  it('is implemented whole, each endpoint once, and nothing beside it', () => {
    const named = new Map(table.map(([name, endpoint]) => [endpoint, name]))
    const implemented = modules.flatMap((module) => module.endpoints.map((one) => one.endpoint))
    expect(implemented.map((one) => named.get(one) ?? one.path).toSorted()).toEqual(
      table.map(([name]) => name).toSorted(),
    )
  })
})

describe('the authorisation matrix', () => {
  const house = harness({ GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET })
  const cells = table.flatMap(([name, endpoint]) =>
    conditions.map((condition) => ({
      name,
      endpoint,
      condition,
      cell: cellOf(endpoint, condition),
    })),
  )
  const asked = new Set<string>()

  it('has a row for each endpoint and no other', () => {
    expect(Object.keys(rows).toSorted()).toEqual(table.map(([name]) => name).toSorted())
  })

  it.each(table)('lets a good caller into %s', async (name, endpoint) => {
    const { status, error } = await askCell(house, name, endpoint, 'nothing wrong')
    expect({ status, error }).toEqual({ status: endpoint.returns.status, error: '' })
  })

  for (const { name, endpoint, condition, cell } of cells) {
    if (!('status' in cell)) continue
    it(`answers ${cell.status} to ${name} with ${condition}`, async () => {
      const { status, error } = await askCell(house, name, endpoint, condition)
      expect({ status, error }).toMatchObject({ status: cell.status })
      expect(endpoint.statuses).toContain(status)
      asked.add(`${name} ${condition}`)
    })
  }

  it('has asked about every cell, or says why it makes no sense', () => {
    const reasons = cells.filter(({ cell }) => 'notApplicable' in cell && cell.notApplicable !== '')
    expect(asked.size + reasons.length).toBe(table.length * 8)
  })

  const changing = table.filter(
    ([, { auth, method }]) => (auth === 'account' || auth === 'session') && method !== 'GET',
  )
  it.each(changing)('refuses %s to a session without its CSRF token', async (name, endpoint) => {
    const scene = await openScene(house)
    const parts = (await rows[name]?.(scene)) ?? {}
    const { cookie } = await house.signIn(scene.owner.signInUrl)
    const { status, error } = await ask(house, endpoint, parts, { headers: { cookie } })
    expect(status).toBe(403)
    expect(error).toContain('X-CSRF-Token')
  })
})

function namesApp({ path, params, query, body }: Endpoint): boolean {
  if (/^\/api\/apps\/:id\b/.test(path)) return true
  return [params, query, body].some(
    (schema) =>
      schema !== undefined &&
      'properties' in schema &&
      Object.hasOwn(schema.properties as object, 'appId'),
  )
}
