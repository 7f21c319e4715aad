import type { ApiError } from './api-error.ts'

const FIRST_WAIT_MS = 200
const WAIT_MAX_MS = 30_000

/**
 * How long to wait before the call is made again, or undefined when it must not be. Reading again
 * harms nobody. A call that changes something is repeated only when the server said that it did not
 * begin: a connection that broke may have broken after the change.
 */
export function retryDelayMs(
  error: ApiError,
  isRepeatable: boolean,
  attempt: number,
  random: () => number,
): number | undefined {
  const isRefused =
    error.status === 429 || (error.status === 503 && error.retryAfterMs !== undefined)
  const isPassing = [0, 502, 503, 504].includes(error.status)
  if (!isRefused && !(isPassing && isRepeatable)) return undefined
  // Jitter, because clients that failed together would otherwise come back together.
  const backoffMs = FIRST_WAIT_MS * 2 ** attempt * (0.5 + random() / 2)
  const waitMs = Math.max(backoffMs, error.retryAfterMs ?? 0)
  return waitMs > WAIT_MAX_MS ? undefined : waitMs
}

/** Retry-After in either of its forms: seconds, or a date. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - nowMs : seconds * 1000
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}
