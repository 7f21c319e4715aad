import type { Clock } from '@merlon/base'
import type { Limit } from '@merlon/contract'

export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
  readonly retryAfterSeconds: number
}

interface Bucket {
  tokens: number
  at: number
}

const BUCKETS_MAX = 100_000

/** Token buckets that hold a minute's worth. Counted per process: behind N nodes a caller may get N times as much. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>()
  readonly #perMinute: Readonly<Record<Limit, number>>
  readonly #clock: Clock

  constructor(perMinute: Readonly<Record<Limit, number>>, clock: Clock) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  take(limit: Limit, caller: string, cost = 1): Allowance {
    const capacity = this.#perMinute[limit]
    const now = this.#clock.now()
    const perMs = capacity / 60_000
    const id = `${limit} ${caller}`
    const bucket = this.#buckets.get(id) ?? this.#add(id, { tokens: capacity, at: now })
    bucket.tokens = Math.min(capacity, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    bucket.at = now
    const allowed = bucket.tokens >= cost
    if (allowed) bucket.tokens -= cost
    return {
      allowed,
      limit: capacity,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((capacity - bucket.tokens) / perMs / 1000),
      retryAfterSeconds: allowed
        ? 0
        : Math.max(1, Math.ceil((cost - bucket.tokens) / perMs / 1000)),
    }
  }

  /** Bounded memory: the callers that were seen first are forgotten first. */
  #add(id: string, bucket: Bucket): Bucket {
    if (this.#buckets.size >= BUCKETS_MAX) {
      let excess = BUCKETS_MAX / 10
      for (const old of this.#buckets.keys()) {
        if (excess-- <= 0) break
        this.#buckets.delete(old)
      }
    }
    this.#buckets.set(id, bucket)
    return bucket
  }
}
