import type { Plan } from '@merlon/base'
import { Type, type Static, type TSchema } from 'typebox'

/**
 * The kinds of door. `account`: account API key or session cookie. `session`: a session only.
 * `operator`: an account call by the operator's account. `app`: the app's own key in X-API-Key.
 * `stream`: a short-lived token in the query. `webhook`: a signature over the body. `public`: open.
 */
export const authKinds = [
  'account',
  'session',
  'operator',
  'app',
  'stream',
  'webhook',
  'public',
] as const
export type AuthKind = (typeof authKinds)[number]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Limit = 'account' | 'ingest' | 'login' | 'stream' | 'public'

/** Where the request names its app; the door proves existence, ownership and plan from it. */
export type AppLocation = 'params.id' | 'params.appId' | 'query.appId' | 'body.appId'

export interface Returns<D extends TSchema = TSchema, M extends TSchema = TSchema> {
  readonly status: number
  readonly data: D
  readonly meta?: M
  /** Other than JSON: the handler writes the answer itself. */
  readonly mediaType?: string
}

export interface EndpointShape {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly auth: AuthKind
  readonly app?: AppLocation
  readonly plan?: Plan
  readonly limit?: Limit
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body may be absent, which means the same as `{}`. */
  readonly bodyOptional?: true
  readonly bodyBytesMax?: number
  /** The handler reads and checks the raw body: it can tell more than one answer for all. */
  readonly checkedByHandler?: true
  readonly mediaTypes?: readonly string[]
  readonly returns: Returns
  /** Statuses beyond those that follow from the rest of the declaration. */
  readonly errors?: readonly number[]
  /** The word under which the audit log files a state-changing call; `false` says: changes nothing. */
  readonly audit?: string | false
}

/** An endpoint of any types: what the shell, the document and the tests walk over. */
export interface Endpoint extends EndpointShape {
  readonly statuses: readonly number[]
  /** Types only, never values. Kept here, they are worked out once for each endpoint. */
  readonly '~params'?: unknown
  readonly '~query'?: unknown
  readonly '~body'?: unknown
  readonly '~data'?: unknown
  readonly '~meta'?: unknown
}

type StaticOr<S, Fallback> = S extends TSchema ? Static<S> : Fallback
type MetaStatic<R> = R extends { meta: infer M extends TSchema } ? Static<M> : undefined

export type TypedEndpoint<S extends EndpointShape> = S & {
  readonly statuses: readonly number[]
  readonly '~params'?: StaticOr<S['params'], Record<never, never>>
  readonly '~query'?: StaticOr<S['query'], Record<never, never>>
  readonly '~body'?: StaticOr<S['body'], undefined>
  readonly '~data'?: Static<S['returns']['data']>
  readonly '~meta'?: MetaStatic<S['returns']>
}

export function endpoint<const S extends EndpointShape>(shape: S): TypedEndpoint<S> {
  if (shape.method !== 'GET' && shape.audit === undefined) {
    throw new Error(`${shape.method} ${shape.path} must say what the audit log calls it`)
  }
  return Object.freeze({ ...shape, statuses: statusesOf(shape) })
}

function statusesOf(shape: EndpointShape): readonly number[] {
  const statuses = new Set<number>([shape.returns.status, 429, 503, ...(shape.errors ?? [])])
  // Even a path without parameters can be sent with a query or body that cannot be read.
  statuses.add(400)
  if (shape.auth !== 'public') statuses.add(401)
  if (['account', 'session', 'operator', 'app', 'stream'].includes(shape.auth)) statuses.add(403)
  if (shape.params !== undefined || shape.app !== undefined) statuses.add(404)
  // A body can be sent to any state-changing call, also to one that needs none.
  if (shape.method !== 'GET') statuses.add(413).add(415)
  return [...statuses].toSorted((a, b) => a - b)
}

export function data<D extends TSchema>(schema: D): Returns<D> & { readonly data: D } {
  return { status: 200, data: schema }
}

export function created<D extends TSchema>(schema: D): Returns<D> & { readonly data: D } {
  return { status: 201, data: schema }
}

export function accepted<D extends TSchema>(schema: D): Returns<D> & { readonly data: D } {
  return { status: 202, data: schema }
}

export function list<D extends TSchema, M extends TSchema>(item: D, meta: M) {
  return { status: 200, data: Type.Array(item), meta } as const
}

/** The handler writes a stream itself; `data` describes one frame. */
export function stream<D extends TSchema>(frame: D) {
  return { status: 200, data: frame, mediaType: 'text/event-stream' } as const
}

export type ParamsOf<E> = E extends { readonly '~params'?: infer T } ? T : never
export type QueryOf<E> = E extends { readonly '~query'?: infer T } ? T : never
export type BodyOf<E> = E extends { readonly '~body'?: infer T } ? T : never
export type DataOf<E> = E extends { readonly '~data'?: infer T } ? T : never
export type MetaOf<E> = E extends { readonly '~meta'?: infer T } ? T : never
