import { expect, test } from 'vitest'
import { parseTrafficAggregate } from './aggregate.ts'

const minute = '2026-03-02T09:00:00.000Z'
const route = { route: 'GET /users/:id', requests: 12, errors4xx: 1 }

test('a full aggregate is taken, and counts that are missing are zero', () => {
  const parsed = parseTrafficAggregate({ minute, routes: [route], distinctIps: 4, perIpP995: 7 })
  expect(parsed).toMatchObject({
    ok: true,
    aggregate: { routes: [{ requests: 12, errors5xx: 0, bytesOut: 0 }], distinctIps: 4 },
  })
})

test('a quiet minute without routes is valid', () => {
  expect(parseTrafficAggregate({ minute, routes: [] }).ok).toBe(true)
})

test.each([
  ['no object', 'text', 'must be an object'],
  ['an array', [], 'must be an object'],
  ['no minute', { routes: [] }, 'minute must be an ISO 8601 time'],
  ['no routes', { minute }, 'routes must be an array'],
  ['too many routes', { minute, routes: Array(201).fill(route) }, 'routes: at most 200'],
  ['a route without a name', { minute, routes: [{}] }, 'routes[0]: route must be a text'],
  ['a negative count', { minute, routes: [{ ...route, requests: -1 }] }, 'routes[0]: requests'],
  [
    'an infinite count',
    { minute, routes: [{ ...route, bytesIn: Infinity }] },
    'routes[0]: bytesIn',
  ],
  ['a text for a count', { minute, routes: [], perIpP995: '3' }, 'perIpP995 must be a count'],
])('%s is refused with a reason', (_, payload, error) => {
  const parsed = parseTrafficAggregate(payload)
  expect(parsed.ok ? '' : parsed.error).toContain(error)
})
