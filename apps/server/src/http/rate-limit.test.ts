import { describe, expect, it } from 'vitest'
import { RateLimiter } from './rate-limit.ts'

function setup() {
  let now = 1_000_000
  const limiter = new RateLimiter(
    { account: 60, ingest: 600, login: 10, public: 60, stream: 60 },
    { now: () => now },
  )
  return { limiter, advance: (ms: number) => (now += ms) }
}

describe('RateLimiter', () => {
  it('allows a minute of calls at once and refuses the next', () => {
    const { limiter } = setup()
    for (let i = 0; i < 10; i++) expect(limiter.take('login', 'a').allowed).toBe(true)
    expect(limiter.take('login', 'a')).toMatchObject({
      allowed: false,
      limit: 10,
      remaining: 0,
      retryAfterSeconds: 6,
    })
  })

  it('counts callers and limits apart', () => {
    const { limiter } = setup()
    for (let i = 0; i < 10; i++) limiter.take('login', 'a')
    expect(limiter.take('login', 'b').allowed).toBe(true)
    expect(limiter.take('account', 'a').allowed).toBe(true)
  })

  it('gives back with time what it took, and no more than the limit', () => {
    const { limiter, advance } = setup()
    for (let i = 0; i < 11; i++) limiter.take('login', 'a')
    advance(6_000)
    expect(limiter.take('login', 'a').allowed).toBe(true)
    advance(3_600_000)
    expect(limiter.take('login', 'a').remaining).toBe(9)
  })

  it('is not confused by a clock that goes back', () => {
    const { limiter, advance } = setup()
    limiter.take('login', 'a')
    advance(-500_000)
    expect(limiter.take('login', 'a').remaining).toBe(8)
  })

  it('forgets the oldest callers rather than growing without end', () => {
    const { limiter } = setup()
    for (let i = 0; i < 10; i++) limiter.take('login', 'first')
    for (let i = 0; i < 100_000; i++) limiter.take('public', String(i))
    expect(limiter.take('login', 'first').allowed).toBe(true)
  })
})
