import { keyKindOf } from '@merlon/base'
import type { AuthKind } from '@merlon/contract'
import type { FastifyRequest } from 'fastify'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/keyring.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { AccountPrincipal, AppPrincipal, Lookups } from './principal.ts'
import { problem } from './problem.ts'
import { csrfTokenOf, sessionTokenOf } from './session-cookie.ts'

/** A credential as it was presented: its shape is known, its worth is not. */
export type Presented =
  | { readonly kind: 'key'; readonly hash: Buffer }
  | { readonly kind: 'session'; readonly hash: Buffer; readonly token: string }
  | { readonly kind: 'app-key'; readonly hash: Buffer }
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly why: string }

const NONE: Presented = { kind: 'none' }

export interface AuthDeps {
  readonly keyring: Keyring
  readonly cache: CredentialCache
  readonly lookups: Lookups
}

/** Reads the credential that this kind of door asks for; no look-up yet. */
export function presented(auth: AuthKind, request: FastifyRequest, keyring: Keyring): Presented {
  if (auth === 'app') return presentedAppKey(request, keyring)
  if (auth !== 'account' && auth !== 'session' && auth !== 'operator') return NONE
  const header = request.headers.authorization
  if (header !== undefined && auth !== 'session') {
    return recently(keyring, header, () => presentedBearer(header, keyring))
  }
  const token = sessionTokenOf(request.headers.cookie)
  return token === undefined
    ? NONE
    : { kind: 'session', hash: keyring.mac('session', token), token }
}

/**
 * The same few keys come with nearly every request. Their checksum and keyed hash are worked out
 * once; the memory is small, for this process alone, and holds nothing that the request did not.
 */
const RECENT_MAX = 1_000
const recent = new WeakMap<Keyring, Map<string, Presented>>()

function recently(keyring: Keyring, header: string, read: () => Presented): Presented {
  let known = recent.get(keyring)
  if (known === undefined) recent.set(keyring, (known = new Map()))
  const found = known.get(header)
  if (found !== undefined) return found
  const fresh = read()
  // Only well-formed keys are worth a place; anybody can send garbage.
  if (fresh.kind === 'key' || fresh.kind === 'app-key') {
    if (known.size >= RECENT_MAX) known.clear()
    known.set(header, fresh)
  }
  return fresh
}

function presentedBearer(header: string, keyring: Keyring): Presented {
  const key = /^bearer +(\S+)$/i.exec(header)?.[1]
  if (key === undefined)
    return { kind: 'wrong', why: 'The Authorization header must be "Bearer" and an API key.' }
  const kind = keyKindOf(key)
  if (kind === 'account') return { kind: 'key', hash: keyring.mac('api-key', key) }
  if (kind === 'app')
    return {
      kind: 'wrong',
      why: 'This is the key of an app. This call needs an account API key (mln_live_…).',
    }
  return {
    kind: 'wrong',
    why: 'The API key is malformed: its checksum does not fit. Was it copied whole?',
  }
}

function presentedAppKey(request: FastifyRequest, keyring: Keyring): Presented {
  const key = request.headers['x-api-key']
  if (typeof key !== 'string' || key === '') return NONE
  return recently(keyring, key, () => readAppKey(key, keyring))
}

function readAppKey(key: string, keyring: Keyring): Presented {
  const kind = keyKindOf(key)
  if (kind === 'app') return { kind: 'app-key', hash: keyring.mac('app-key', key) }
  if (kind === 'account')
    return {
      kind: 'wrong',
      why: 'This is an account API key. This call needs the key of an app (mlnapp_live_…).',
    }
  return {
    kind: 'wrong',
    why: 'The app key is malformed: its checksum does not fit. Was it copied whole?',
  }
}

export async function authenticateAccount(
  auth: 'account' | 'session' | 'operator',
  credential: Presented,
  request: FastifyRequest,
  { keyring, cache, lookups }: AuthDeps,
): Promise<AccountPrincipal> {
  if (credential.kind === 'wrong') throw unauthenticated(credential.why)
  if (credential.kind === 'none' || credential.kind === 'app-key') {
    throw unauthenticated(
      auth === 'session'
        ? 'This call needs a signed-in session.'
        : 'An API key is missing: send "Authorization: Bearer mln_live_…".',
    )
  }
  const principal =
    credential.kind === 'key'
      ? await cache.resolve(credential.hash, () => lookups.findAccountByKeyHash(credential.hash))
      : await cache.resolve(credential.hash, () =>
          lookups.findAccountBySessionHash(credential.hash),
        )
  if (principal === undefined) {
    throw unauthenticated(
      credential.kind === 'key'
        ? 'The API key is unknown, expired or revoked.'
        : 'The session has ended. Sign in again.',
    )
  }
  if (credential.kind === 'session') requireCsrfToken(request, credential.token, keyring)
  if (principal.accountStatus === 'suspended')
    throw problem('forbidden', 'This account is suspended.')
  if (auth === 'operator' && principal.accountRole !== 'operator') {
    throw problem('forbidden', "Only the operator's account may do this.")
  }
  return principal
}

export async function authenticateApp(
  credential: Presented,
  { cache, lookups }: AuthDeps,
): Promise<AppPrincipal> {
  if (credential.kind === 'wrong') throw unauthenticated(credential.why)
  if (credential.kind !== 'app-key')
    throw unauthenticated('The app key is missing: send it as X-API-Key.')
  const principal = await cache.resolve(credential.hash, () =>
    lookups.findAppByKeyHash(credential.hash),
  )
  if (principal === undefined)
    throw unauthenticated('The app key is unknown, or its time has run out.')
  if (principal.accountStatus === 'suspended')
    throw problem('forbidden', 'The account of this app is suspended.')
  if (principal.appStatus === 'suspended') throw problem('forbidden', 'This app is suspended.')
  return principal
}

/** A browser sends cookies with forged calls too; the token it cannot know makes the difference. */
function requireCsrfToken(request: FastifyRequest, sessionToken: string, keyring: Keyring): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const given = request.headers['x-csrf-token']
  if (typeof given === 'string' && sameText(given, csrfTokenOf(sessionToken, keyring))) return
  throw problem(
    'forbidden',
    'The X-CSRF-Token header is missing or wrong: take it from GET /api/auth/me.',
  )
}

function unauthenticated(sentence: string) {
  return problem('unauthenticated', sentence, {
    headers: { 'www-authenticate': 'Bearer realm="merlon"' },
  })
}
