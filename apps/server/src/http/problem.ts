/** Every way a call can fail, in one table. The sentence goes to the caller, the cause to the log only. */
export const problemStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemKind = keyof typeof problemStatus

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ProblemKind, sentence: string, options: ProblemOptions = {}) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.status = problemStatus[kind]
    this.headers = options.headers ?? {}
  }
}

interface ProblemOptions {
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function problem(kind: ProblemKind, sentence: string, options?: ProblemOptions): Problem {
  return new Problem(kind, sentence, options)
}

export function notFound(what: string, id: string): Problem {
  return problem('not-found', `${what} ${id} does not exist.`)
}

/** Throws the given problem when there is nothing: `required(row, notFound('Key', id))`. */
export function required<T>(value: T | undefined, otherwise: Problem): T {
  if (value === undefined) throw otherwise
  return value
}
