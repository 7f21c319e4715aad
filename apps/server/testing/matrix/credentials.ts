import { createKey } from '@merlon/base'
import type { ApiKey, App, AuthKind, Endpoint } from '@merlon/contract'
import type { Condition } from './cells.ts'
import { signatureOf, WEBHOOK_SECRET, type Parts, type Scene } from './scene.ts'

/** What is added to a request to say who calls. */
export interface Credential {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** Longer than any key, session or token made here lives, shorter than a sign-in link. */
const A_LONG_WHILE = { hours: 13 }

/** A good credential for this kind of door. */
export async function goodCredential(
  auth: AuthKind,
  scene: Scene,
  parts: Parts,
): Promise<Credential> {
  switch (auth) {
    case 'account':
      return bearer(scene.owner.key)
    case 'operator':
      return bearer(scene.house.operatorKey)
    case 'session':
      return { headers: (await scene.house.signIn(scene.owner.signInUrl)).headers }
    case 'app':
      return appKey(scene.app.apiKey)
    case 'stream':
      return streamToken(scene)
    case 'webhook':
      return signature(signatureOf(parts.body, WEBHOOK_SECRET))
    case 'public':
      return {}
  }
}

/** A credential that has this one thing wrong with it; the world is changed where that is needed. */
export async function credentialWith(
  condition: Condition,
  endpoint: Endpoint,
  scene: Scene,
  parts: Parts,
): Promise<Credential> {
  const { auth } = endpoint
  switch (condition) {
    case 'no key':
      return {}
    case 'malformed key':
      return malformed(auth)
    case 'wrong kind of key':
      return wrongKind(auth, scene, parts)
    case 'expired': {
      const credential = await expiring(auth, scene, parts)
      scene.house.clock.advance(A_LONG_WHILE)
      return credential
    }
    case 'revoked':
      return revoked(auth, scene, parts)
    case 'other account': {
      if (auth === 'operator') return bearer(scene.owner.key)
      const stranger = await scene.house.newAccount()
      const app = await scene.house.newApp(stranger.key)
      return goodCredential(auth, { ...scene, owner: stranger, app }, parts)
    }
    case 'suspended account': {
      const credential = await goodCredential(auth, scene, parts)
      await scene.house.call('PATCH', `/api/accounts/${scene.owner.id}`, {
        as: scene.house.operatorKey,
        body: { status: 'suspended' },
      })
      return credential
    }
    case 'lower plan':
      return goodCredential(auth, scene, parts)
  }
}

function malformed(auth: AuthKind): Credential {
  const cut = (key: string): string => key.slice(0, -1)
  if (auth === 'session') return { headers: { cookie: 'merlon_session=short' } }
  if (auth === 'app') return appKey(cut(createKey('app')))
  if (auth === 'stream') return { query: { token: 'nonsense' } }
  if (auth === 'webhook') return signature('sha256=nonsense')
  return bearer(cut(createKey('account')))
}

function wrongKind(auth: AuthKind, { owner, app }: Scene, { body }: Parts): Credential {
  if (auth === 'session') return bearer(owner.key)
  if (auth === 'app') return appKey(owner.key)
  if (auth === 'stream') return { query: { token: owner.key } }
  if (auth === 'webhook') return signature(signatureOf(body, 'another secret'))
  return bearer(app.apiKey)
}

async function expiring(auth: AuthKind, scene: Scene, parts: Parts): Promise<Credential> {
  const { house, app } = scene
  if (auth === 'account' || auth === 'operator' || auth === 'public') {
    const expiresAt = new Date(house.clock.now() + 3_600_000).toISOString()
    return bearer((await keyOf(auth, scene, { name: 'Short-lived', expiresAt })).key)
  }
  if (auth === 'app') {
    await scene.asOwner('POST', `/api/apps/${app.id}/rotate-key?graceHours=1`)
    return appKey(app.apiKey)
  }
  return goodCredential(auth, scene, parts)
}

async function revoked(auth: AuthKind, scene: Scene, parts: Parts): Promise<Credential> {
  const { house, app } = scene
  if (auth === 'account' || auth === 'operator' || auth === 'public') {
    const { id, key } = await keyOf(auth, scene, { name: 'Revoked' })
    await house.call('DELETE', `/api/keys/${id}`, { as: key })
    return bearer(key)
  }
  if (auth === 'app') {
    await scene.asOwner<App>('POST', `/api/apps/${app.id}/rotate-key?graceHours=0`)
    return appKey(app.apiKey)
  }
  const credential = await goodCredential(auth, scene, parts)
  if (auth === 'session') {
    const headers = credential.headers ?? {}
    await house.call('POST', '/api/auth/logout', { headers })
  }
  return credential
}

/** One more key of whoever may knock at this door. */
async function keyOf(auth: AuthKind, { house, owner }: Scene, body: object) {
  const as = auth === 'operator' ? house.operatorKey : owner.key
  return (await house.call<ApiKey & { key: string }>('POST', '/api/keys', { as, body })).data
}

async function streamToken({ house, owner, app }: Scene): Promise<Credential> {
  const asked = { as: owner.key, body: { appId: app.id } }
  const { data } = await house.call<{ token: string }>('POST', '/api/events/stream-token', asked)
  return { query: { token: data.token } }
}

const bearer = (key: string): Credential => ({ headers: { authorization: `Bearer ${key}` } })
const appKey = (key: string): Credential => ({ headers: { 'x-api-key': key } })
const signature = (text: string): Credential => ({ headers: { 'x-hub-signature-256': text } })
