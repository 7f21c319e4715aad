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
  /** The query that opens the stream of an app. */
  readonly streamQuery: string
}

/** Nobody listens there, and nothing leaves the machine. */
const RECEIVER = 'http://127.0.0.1:9/hook'

export async function newActor(house: Harness): Promise<Actor> {
  const owner = await house.newAccount()
  const app = await house.newApp(owner.key)
  const spare = await house.newApp(owner.key, 'Spare')
  const make = async (path: string, body: object): Promise<Record<string, string>> => {
    const reply = await house.call<Record<string, string>>('POST', path, { as: owner.key, body })
    if (!reply.ok) throw new Error(`POST ${path} answered ${reply.status}: ${reply.error}`)
    return reply.data
  }
  const webhook = await make('/api/webhooks', { appId: app.id, url: RECEIVER })
  const made = [
    await make('/api/users', { email: `second-${owner.email}` }),
    await make('/api/keys', { name: 'Spare' }),
    await make(`/api/webhooks/${webhook['id']}/test`, {}),
    webhook,
  ]
  const { token = '' } = await make('/api/events/stream-token', { appId: spare.id })
  return {
    knownIds: [owner.id, app.id, spare.id, owner.userId, ...made.map((one) => one['id'] ?? '')],
    key: owner.key,
    appKey: app.apiKey,
    session: (await house.signIn(owner.signInUrl)).headers,
    streamQuery: `?appId=${spare.id}&token=${token}`,
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
