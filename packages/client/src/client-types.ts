import type {
  BodyOf,
  DataOf,
  endpoints,
  MetaOf,
  ParamsOf,
  QueryOf,
  SecurityEvent,
} from '@merlon/contract'
import type { CallExtras } from './request.ts'
import type { StreamFrame } from './sse-parser.ts'

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
export type InputOf<E> = ParamsPart<E> & QueryPart<E> & BodyPart<E> & CallExtras

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

export interface StreamInput {
  readonly appId: string
  /** The `id` of the last frame that was read; the stream goes on behind it. */
  readonly lastEventId?: string
  readonly signal?: AbortSignal
}

export interface FollowInput extends StreamInput {
  readonly onConnected?: () => void
  readonly onDrop?: (drop: Drop) => void
}

export interface Drop {
  /** Undefined when the server ended the stream in good order. */
  readonly error: unknown
  readonly waitMs: number
  /** Whether the next connection goes on where this one ended; else it begins at its own start. */
  readonly isGapless: boolean
}

interface Streams {
  /** One connection, frame by frame. */
  readonly streamEvents: (input: StreamInput) => AsyncGenerator<StreamFrame, void, undefined>
  /** Events in batches, across dropped connections. */
  readonly followEvents: (
    input: FollowInput,
  ) => AsyncGenerator<readonly SecurityEvent[], void, undefined>
  /** JSON lines in pieces cut anywhere, for exports that do not fit into memory. */
  readonly exportUser: (input: {
    readonly appId: string
    readonly userId: string
    readonly signal?: AbortSignal
  }) => AsyncGenerator<string, void, undefined>
}

/** `client.apps.getApp(…)` gives the data; `client.raw.apps.listApps()` gives `{ data, meta }`. */
export type Client = Calls & { readonly raw: RawCalls } & Streams
