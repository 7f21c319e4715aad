import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { parseRetryAfter, retryDelayMs } from './retry.ts'

const half = () => 0.5
const failure = (status: number, retryAfterMs?: number) =>
  new ApiError('No.', { status, retryAfterMs })

describe('retryDelayMs', () => {
  it.each([0, 429, 502, 503, 504])('reads again after the status %i', (status) => {
    expect(retryDelayMs(failure(status), true, 0, half)).toBe(150)
  })

  it.each([400, 401, 403, 404, 409, 500])('gives up on the status %i', (status) => {
    expect(retryDelayMs(failure(status), true, 0, half)).toBeUndefined()
  })

  it.each([0, 502, 503, 504])('never repeats a change after the status %i', (status) => {
    expect(retryDelayMs(failure(status), false, 0, half)).toBeUndefined()
  })

  it('repeats a change that was refused for its rate', () => {
    expect(retryDelayMs(failure(429, 3000), false, 0, half)).toBe(3000)
  })

  it('repeats a change when the server asks for it with Retry-After', () => {
    expect(retryDelayMs(failure(503, 1000), false, 0, half)).toBe(1000)
  })

  it('waits longer each time', () => {
    expect(retryDelayMs(failure(503), true, 2, half)).toBe(600)
  })

  it('does not wait for minutes', () => {
    expect(retryDelayMs(failure(429, 31_000), true, 0, half)).toBeUndefined()
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  it.each([
    ['2', 2000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('reads %j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected)
  })
})
