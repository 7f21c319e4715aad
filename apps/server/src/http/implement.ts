import type { Clock } from '@merlon/base'
import type { BodyOf, DataOf, Endpoint, MetaOf, ParamsOf, QueryOf } from '@merlon/contract'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'

import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { AccountPrincipal, AppPrincipal, OwnedApp, Principal } from './principal.ts'

/** What a handler may ask for beside the request. */
export interface Services {
  readonly clock: Clock
  readonly config: Config
  readonly keyring: Keyring
  readonly limiter: RateLimiter
  readonly log: FastifyBaseLogger
  /** The address under which people reach this server. */
  readonly publicUrl: () => string
}

/** The part of an audit entry that only the handler knows. */
export interface AuditNote {
  /** The call turned out to change nothing. */
  readonly skip?: boolean
  readonly target?: string
  readonly before?: unknown
  readonly after?: unknown
  /** For calls that come in without a credential and leave with one. */
  readonly accountId?: string
  readonly actor?: {
    readonly kind: 'user' | 'anonymous'
    readonly id?: string
    readonly name?: string
  }
}

export interface Origin {
  readonly ip: string
  readonly userAgent: string | undefined
  readonly requestId: string
}

type AuthOf<E extends Endpoint> = E['auth']
type CallerOf<E extends Endpoint> =
  AuthOf<E> extends 'account' | 'session' | 'operator'
    ? AccountPrincipal
    : AuthOf<E> extends 'app'
      ? AppPrincipal
      : undefined
type AppOf<E extends Endpoint> = E extends { app: string }
  ? AuthOf<E> extends 'account' | 'session' | 'operator'
    ? OwnedApp
    : undefined
  : undefined

/** What every call brings along, whatever its endpoint. */
interface CallBase extends Services {
  /** For a state-changing call this is its transaction: it commits with the audit entry or not at all. */
  readonly db: Db
  readonly origin: Origin
  readonly audit: (note: AuditNote) => void
  readonly header: (name: string, value: string) => void
}

export interface Call<E extends Endpoint> extends CallBase {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly caller: CallerOf<E>
  /** Found, owned by the caller and of a sufficient plan. */
  readonly app: AppOf<E>
}

/** A call as the shell sees it. Naming the schemas' types here would cost the compiler a million of them. */
export interface AnyCall extends CallBase {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly caller: Principal | undefined
  readonly app: OwnedApp | undefined
}

type Answer<E extends Endpoint> =
  MetaOf<E> extends undefined ? DataOf<E> : { readonly data: DataOf<E>; readonly meta: MetaOf<E> }

export interface Implementation {
  readonly endpoint: Endpoint
  /** Runs before the transaction is opened: slow work must not hold a connection of the pool. */
  readonly prepare?: (call: AnyCall) => Promise<unknown>
  readonly handle: (call: AnyCall, prepared: unknown) => Promise<unknown>
  /** Answers by itself (streams, hot paths); the doors before it are the same. */
  readonly handleRaw?: (
    call: AnyCall,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>
}

/**
 * Ties an endpoint of the contract to the function that answers it. The shell does the rest. What
 * `prepare` answers reaches the handler as its second argument.
 */
export function implement<E extends Endpoint, P = undefined>(
  endpoint: E,
  handle: (call: Call<E>, prepared: P) => Promise<Answer<E>> | Answer<E>,
  prepare?: (call: Call<E>) => Promise<P>,
): Implementation {
  return {
    endpoint,
    handle: async (call, prepared) => handle(call as unknown as Call<E>, prepared as P),
    ...(prepare === undefined
      ? {}
      : { prepare: async (call: AnyCall) => prepare(call as unknown as Call<E>) }),
  }
}

/** For an answer that is no JSON envelope. No transaction is opened around it. */
export function implementRaw<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): Implementation {
  return {
    endpoint,
    handle: async () => undefined,
    handleRaw: (call, request, reply) => handle(call as unknown as Call<E>, request, reply),
  }
}
