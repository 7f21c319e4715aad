import type { harness } from '../../apps/server/testing/harness.ts'
import type { Random } from './random.ts'

export type Harness = ReturnType<typeof harness>
export type Headers = Readonly<Record<string, string>>

/** Somebody whose account may be wrecked: the fuzz deletes, suspends and signs out as it likes. */
export interface Actor {
  readonly knownIds: readonly string[]
  readonly key: string
  readonly appKey: string
  readonly session: Headers
}

export async function newActor(house: Harness): Promise<Actor> {
  const owner = await house.newAccount()
  const app = await house.newApp(owner.key)
  const spare = await house.newApp(owner.key, 'Spare')
  const second = await house.call<{ id: string }>('POST', '/api/users', {
    as: owner.key,
    body: { email: `second-${owner.email}` },
  })
  const key = await house.call<{ id: string }>('POST', '/api/keys', {
    as: owner.key,
    body: { name: 'Spare' },
  })
  return {
    knownIds: [owner.id, app.id, spare.id, owner.userId, second.data.id, key.data.id],
    key: owner.key,
    appKey: app.apiKey,
    session: (await house.signIn(owner.signInUrl)).headers,
  }
}

/** Credentials of every kind; most are good ones for this door, so that requests reach the rooms. */
export function credentialFor(
  auth: string,
  actor: Actor,
  operatorKey: string,
  random: Random,
): Headers {
  if (random.chance(0.15)) return wrongCredential(actor, random)
  switch (auth) {
    case 'account':
      return random.chance(0.2) ? actor.session : { authorization: `Bearer ${actor.key}` }
    case 'operator':
      return { authorization: `Bearer ${random.chance(0.9) ? operatorKey : actor.key}` }
    case 'session':
      return actor.session
    case 'app':
      return { 'x-api-key': actor.appKey }
    default:
      return {}
  }
}

function wrongCredential({ key, appKey, session }: Actor, random: Random): Headers {
  return random.pick<Headers>([
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { authorization: `Bearer ${appKey}` },
    { authorization: `Basic ${key}` },
    { authorization: `Bearer ${'x'.repeat(4_000)}` },
    { authorization: `bearer  ${key}` },
    { authorization: 'Bearer \xff\xfe' },
    { 'x-api-key': key },
    { 'x-api-key': appKey.toUpperCase() },
    { 'x-api-key': '' },
    { cookie: 'merlon_session=' },
    { cookie: `merlon_session=${'A'.repeat(43)}`, 'x-csrf-token': 'wrong' },
    { cookie: session['cookie'] ?? '' },
    { cookie: ';;=;=;merlon_session;' },
  ])
}
