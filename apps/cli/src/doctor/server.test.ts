import { describe, expect, it } from 'vitest'
import { checkClock } from './server.ts'

describe('checkClock', () => {
  const header = 'Thu, 01 Jan 2026 00:00:00 GMT'
  const serverMs = Date.parse(header)

  it.each([
    [0, 'ok'],
    [30_000, 'ok'],
    [31_000, 'warn'],
    [-31_000, 'warn'],
  ])('finds a gap of %i ms: %s', (gapMs, status) => {
    expect(checkClock(header, serverMs + gapMs).status).toBe(status)
  })

  it('says which of the two is ahead', () => {
    expect(checkClock(header, serverMs + 120_500).detail).toBe(
      'this machine is 120 s ahead of the server',
    )
  })

  it('asks nothing of a server that sends no time', () => {
    expect(checkClock(null, serverMs).status).toBe('skip')
  })
})
