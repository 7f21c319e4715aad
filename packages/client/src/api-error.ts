interface ApiErrorFacts {
  readonly status: number
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A call that failed. `message` is the server's own sentence; `status` 0 means that none came back. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, { status, requestId, retryAfterMs, cause }: ApiErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}
