import type { Endpoint, EndpointShape, Limit } from '@merlon/contract'
import { planIncludes, plansFrom } from '@merlon/base'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preValidationHookHandler,
} from 'fastify'
import type { Db } from '../db/database.ts'
import { inTransactionWithRetry } from '../db/tx.ts'
import {
  authenticateAccount,
  authenticateApp,
  presented,
  type AuthDeps,
  type Presented,
} from './authenticate.ts'
import { envelopeSchema } from './envelope.ts'
import type { AnyCall, AuditNote, Implementation, Origin, Services } from './implement.ts'
import type { AccountPrincipal, AppPrincipal, OwnedApp, Principal } from './principal.ts'
import { notFound, problem } from './problem.ts'
import { findUnstorable } from './validation.ts'

export interface AuditEntryInput {
  readonly accountId: string
  readonly action: string
  readonly caller: AccountPrincipal | undefined
  readonly origin: Origin
  readonly note: AuditNote
}

export interface Doors extends AuthDeps {
  readonly db: Db
  readonly services: Services
  /** Written in the call's own transaction, so that no change is ever without its entry. */
  readonly recordAudit: (tx: Db, entry: AuditEntryInput) => Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Principal | undefined
  }
  interface FastifyContextConfig {
    mediaTypes?: readonly string[]
    /** The handler gets the bytes as they came. */
    rawBody?: boolean
    /** Too frequent for a log line each. */
    quiet?: boolean
  }
}

/**
 * Hangs one endpoint into the server. In order: rate 429, credential 401, input 400, app 404,
 * ownership 403, plan 403; only then the handler runs, and it can forget none of it.
 */
export function mount(app: FastifyInstance, implementation: Implementation, doors: Doors): void {
  const { endpoint } = implementation
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyBytesMax === undefined ? {} : { bodyLimit: endpoint.bodyBytesMax }),
    config: {
      mediaTypes: endpoint.mediaTypes ?? ['application/json'],
      rawBody: endpoint.checkedByHandler === true,
      quiet: endpoint.limit === 'ingest',
    },
    schema: {
      ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      ...(endpoint.body === undefined || endpoint.checkedByHandler === true
        ? {}
        : { body: endpoint.body }),
      ...(endpoint.returns.mediaType === undefined
        ? { response: { [endpoint.returns.status]: envelopeSchema(endpoint) } }
        : {}),
    },
    onRequest: async (request, reply) => {
      const credential = presented(endpoint.auth, request, doors.keyring)
      takeAllowance(endpoint, credential, request, reply, doors)
      request.caller = await authenticate(endpoint, credential, request, doors)
    },
    ...(endpoint.bodyOptional === true ? { preValidation: emptyBodyIsEmptyObject } : {}),
    handler: async (request, reply) => answer(implementation, request, reply, doors),
  })
}

const emptyBodyIsEmptyObject: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

function takeAllowance(
  endpoint: EndpointShape,
  credential: Presented,
  request: FastifyRequest,
  reply: FastifyReply,
  doors: Doors,
): void {
  // A credential of the right shape is counted on its own, everything else by where it comes from.
  const caller = 'hash' in credential ? credential.hash.toString('latin1') : request.ip
  const allowance = doors.services.limiter.take(limitOf(endpoint), caller)
  reply.header('ratelimit-limit', allowance.limit)
  reply.header('ratelimit-remaining', allowance.remaining)
  reply.header('ratelimit-reset', allowance.resetSeconds)
  if (allowance.allowed) return
  const wait = allowance.retryAfterSeconds
  throw problem(
    'too-many-requests',
    `Too many requests: ${allowance.limit} a minute are allowed. Try again in ${wait} s.`,
    {
      headers: { 'retry-after': String(wait) },
    },
  )
}

function limitOf(endpoint: EndpointShape): Limit {
  return (
    endpoint.limit ??
    (endpoint.auth === 'public' || endpoint.auth === 'webhook' ? 'public' : 'account')
  )
}

async function authenticate(
  endpoint: Endpoint,
  credential: Presented,
  request: FastifyRequest,
  doors: Doors,
): Promise<Principal | undefined> {
  switch (endpoint.auth) {
    case 'account':
    case 'session':
    case 'operator':
      return authenticateAccount(endpoint.auth, credential, request, doors)
    case 'app':
      return authenticateApp(credential, doors)
    default:
      // A stream token and a webhook signature cover the request itself: their handlers check them.
      return undefined
  }
}

async function answer(
  implementation: Implementation,
  request: FastifyRequest,
  reply: FastifyReply,
  doors: Doors,
): Promise<unknown> {
  const { endpoint } = implementation
  requireStorable(request)
  const app = endpoint.app === undefined ? undefined : await enterApp(endpoint, request, doors)
  let note: AuditNote = {}
  // The services stand behind the call, not in it: copying them would cost more than all the rest.
  const call: AnyCall = Object.assign(Object.create(doors.services) as Services, {
    params: request.params,
    query: request.query,
    body: request.body,
    caller: request.caller,
    app,
    db: doors.db,
    origin: { ip: request.ip, userAgent: request.headers['user-agent'], requestId: request.id },
    audit: (given: AuditNote) => void (note = given),
    header: (name: string, value: string) => void reply.header(name, value),
  })
  if (implementation.handleRaw !== undefined) return implementation.handleRaw(call, request, reply)
  const prepared = await implementation.prepare?.(call)
  const result =
    typeof endpoint.audit === 'string'
      ? await inTransactionWithRetry(doors.db, async (tx) => {
          // A second attempt begins with nothing noted, like the first.
          note = {}
          const value = await implementation.handle(
            Object.assign(Object.create(call) as AnyCall, { db: tx }),
            prepared,
          )
          await audit(tx, endpoint.audit as string, call, note, doors)
          return value
        })
      : await implementation.handle(call, prepared)
  if (typeof endpoint.audit === 'string' && note.skip !== true) doors.cache.clear()
  reply.code(endpoint.returns.status)
  return endpoint.returns.meta === undefined
    ? { ok: true, data: result }
    : { ok: true, ...(result as object) }
}

async function audit(
  tx: Db,
  action: string,
  call: AnyCall,
  note: AuditNote,
  doors: Doors,
): Promise<void> {
  const caller = call.caller as AccountPrincipal | undefined
  const accountId = note.accountId ?? caller?.accountId
  if (accountId === undefined || note.skip === true) return
  await doors.recordAudit(tx, { accountId, action, caller, origin: call.origin, note })
}

function requireStorable(request: FastifyRequest): void {
  const where = findUnstorable(request.params) ?? findUnstorable(request.query)
  if (where !== undefined) {
    throw problem('invalid', `${where} contains a NUL or half a surrogate pair, which is not text.`)
  }
}

async function enterApp(
  endpoint: Endpoint,
  request: FastifyRequest,
  doors: Doors,
): Promise<OwnedApp | undefined> {
  const { caller } = request
  if (caller?.kind === 'app') {
    enterOwnApp(endpoint, request, caller)
    return undefined
  }
  if (endpoint.app === undefined) return undefined
  const id = appIdOf(endpoint, request)
  const app = await doors.lookups.findApp(id)
  if (app === undefined) throw notFound('App', id)
  if (endpoint.auth !== 'operator' && app.accountId !== caller?.accountId) {
    throw problem('forbidden', `App ${id} belongs to another account.`)
  }
  requirePlan(endpoint, app.plan)
  return app
}

/** An app's key says which app is meant, so the plan holds also where the request does not name it. */
function enterOwnApp(endpoint: Endpoint, request: FastifyRequest, caller: AppPrincipal): void {
  if (endpoint.app !== undefined) {
    const id = appIdOf(endpoint, request)
    if (id !== caller.appId)
      throw problem('forbidden', `This key belongs to another app than ${id}.`)
  }
  requirePlan(endpoint, caller.plan)
}

function appIdOf(endpoint: Endpoint, request: FastifyRequest): string {
  const [part, field] = (endpoint.app ?? '').split('.') as ['params' | 'query' | 'body', string]
  return String((request[part] as Record<string, unknown>)[field])
}

function requirePlan(endpoint: Endpoint, plan: OwnedApp['plan']): void {
  if (endpoint.plan === undefined || planIncludes(plan, endpoint.plan)) return
  throw problem(
    'forbidden',
    `This needs the plan ${plansFrom(endpoint.plan).join(' or ')}; the app has ${plan}.`,
  )
}
