import { problem } from '../../http/problem.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'

/** Counts one try of a password; `whose` is the account that is tried, wherever the tries come from. */
export function takeLoginAllowance(limiter: RateLimiter, whose: string, what: string): void {
  const { allowed, retryAfterSeconds } = limiter.take('login', whose)
  if (allowed) return
  throw problem('too-many-requests', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}
