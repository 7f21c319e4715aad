import type { BodyOf, DataOf, endpoints, MetaOf, ParamsOf, QueryOf } from '@merlon/contract'

type Nothing = Record<never, never>

type ParamsPart<E> = E extends { params: object } ? { readonly params: ParamsOf<E> } : Nothing

type QueryPart<E> = E extends { query: object }
  ? Nothing extends QueryOf<E>
    ? { readonly query?: QueryOf<E> }
    : { readonly query: QueryOf<E> }
  : Nothing

type BodyPart<E> = E extends { body: object }
  ? E extends { bodyOptional: true }
    ? { readonly body?: BodyOf<E> }
    : { readonly body: BodyOf<E> }
  : Nothing

/** What a call of this endpoint takes; parts that it does not declare are not there. */
export type InputOf<E> = ParamsPart<E> &
  QueryPart<E> &
  BodyPart<E> & { readonly signal?: AbortSignal }

type ArgumentsOf<E> = Nothing extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]

export interface Answer<E> {
  readonly data: DataOf<E>
  readonly meta: MetaOf<E>
  readonly requestId: string | undefined
}

type Areas = typeof endpoints

type Calls = {
  readonly [Area in keyof Areas]: {
    readonly [Name in keyof Areas[Area]]: Areas[Area][Name] extends infer E
      ? (...input: ArgumentsOf<E>) => Promise<DataOf<E>>
      : never
  }
}

type RawCalls = {
  readonly [Area in keyof Areas]: {
    readonly [Name in keyof Areas[Area]]: Areas[Area][Name] extends infer E
      ? (...input: ArgumentsOf<E>) => Promise<Answer<E>>
      : never
  }
}

/** `client.apps.getApp(…)` gives the data; `client.raw.apps.listApps()` gives `{ data, meta }`. */
export type Client = Calls & { readonly raw: RawCalls }
