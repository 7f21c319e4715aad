import { expect, test } from 'vitest'
import { AuthReplay } from '../../testing/auth-replay.ts'
import { isIdleCounter } from './counter.ts'
import { authOutcome, type AuthAttempt } from './outcome.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 2, 2, 9)

function attempts(count: number, make: (index: number) => Partial<AuthAttempt>): AuthAttempt[] {
  return Array.from({ length: count }, (_, index) => ({
    at: start + index * 1000,
    outcome: 'failure' as const,
    userId: 'ann',
    ip: '81.2.69.1',
    ...make(index),
  }))
}

const replay = (list: readonly AuthAttempt[]) => new AuthReplay().run(list)

test('nine failures of one user are somebody who forgot a password', () => {
  expect(replay(attempts(9, () => ({}))).detections).toEqual([])
})

test('ten failures of one user within a quarter of an hour are brute force', () => {
  expect(replay(attempts(10, () => ({}))).detections).toMatchObject([
    { type: 'auth.brute_force', severity: 'MEDIUM', failures: 10, subject: { key: 'user:ann' } },
  ])
})

test('brute force from many addresses is high', () => {
  const { detections } = replay(attempts(12, (index) => ({ ip: `81.2.${index}.1` })))
  expect(detections.at(-1)).toMatchObject({ severity: 'HIGH' })
})

test('ten failures over a day are no brute force', () => {
  expect(replay(attempts(10, (index) => ({ at: start + index * hour }))).detections).toEqual([])
})

test('fifty failures of one user spread over a day are brute force', () => {
  const slow = attempts(50, (index) => ({ at: start + index * 25 * minute }))
  expect(replay(slow).detections).toMatchObject([{ type: 'auth.brute_force', windowMinutes: 1440 }])
})

test('one attack is reported once, not with every attempt', () => {
  const { detections } = replay(attempts(45, () => ({})))
  expect(detections.map(({ subject }) => subject.kind)).toEqual(['user', 'ip'])
})

test('failures from an address the user has logged in from are lowered and say so', () => {
  const { detections } = replay([
    { at: start - hour, outcome: 'success', userId: 'ann', ip: '81.2.69.1' },
    ...attempts(10, () => ({})),
  ])
  expect(detections).toMatchObject([{ severity: 'LOW' }])
  expect(detections[0]?.reasons.join(' ')).toContain('has logged in from this address before')
})

test('a success after many failures is a suspected takeover', () => {
  const { detections } = replay([
    ...attempts(10, () => ({})),
    { at: start + minute, outcome: 'success', userId: 'ann', ip: '81.2.69.1' },
  ])
  expect(detections.at(-1)).toMatchObject({
    type: 'auth.account_takeover_suspected',
    severity: 'CRITICAL',
  })
})

test('one address failing for ten users is credential stuffing', () => {
  const { detections } = replay(attempts(10, (index) => ({ userId: `user-${index}` })))
  expect(detections).toMatchObject([
    { type: 'auth.credential_stuffing', severity: 'HIGH', distinct: 10, subject: { kind: 'ip' } },
  ])
})

test('a list tried over many addresses of one network is found on the network', () => {
  const spread = attempts(40, (index) => ({ userId: `user-${index}`, ip: `81.2.69.${index}` }))
  expect(replay(spread).detections).toMatchObject([{ subject: { key: 'network:81.2.69.0/24' } }])
})

test('a list tried over a whole provider is found on the provider', () => {
  const spread = attempts(80, (index) => ({
    userId: `user-${index}`,
    ip: `81.${index}.1.1`,
    asn: 65_500,
  }))
  expect(replay(spread).detections).toMatchObject([{ subject: { key: 'asn:65500' } }])
})

test('a slow list is found over the day', () => {
  const slow = attempts(30, (index) => ({
    userId: `user-${index}`,
    at: start + index * 30 * minute,
  }))
  expect(replay(slow).detections).toMatchObject([{ type: 'auth.credential_stuffing' }])
})

test('every account that the list opens is reported', () => {
  const { detections } = replay([
    ...attempts(20, (index) => ({ userId: `user-${index}` })),
    ...['bob', 'eve'].map((userId, index): AuthAttempt => ({
      at: start + minute + index,
      outcome: 'success',
      userId,
      ip: '81.2.69.1',
    })),
  ])
  const takeovers = detections.filter(({ type }) => type === 'auth.account_takeover_suspected')
  expect(takeovers).toHaveLength(2)
})

test('an office where most people get in is not stuffing', () => {
  const morning = Array.from({ length: 200 }, (_, index) => index).flatMap((index) => {
    const person = { userId: `user-${index}`, ip: '81.2.69.1', at: start + index * 3000 }
    const success: AuthAttempt = { ...person, outcome: 'success' }
    const failure: AuthAttempt = { ...person, outcome: 'failure' }
    return index % 8 === 0 ? [failure, success] : [success]
  })
  expect(replay(morning).detections).toEqual([])
})

test('counters stay small under any number of attempts', () => {
  const { counters } = replay(
    attempts(3000, (index) => ({ userId: `user-${index}`, at: start + index * 10_000 })),
  )
  const size = JSON.stringify(counters.get('ip:81.2.69.1')).length
  expect(size).toBeLessThan(10_000)
})

test('counters survive JSON', () => {
  const { counters } = replay(attempts(12, () => ({})))
  const counter = counters.get('user:ann')
  expect(JSON.parse(JSON.stringify(counter))).toEqual(counter)
})

test('an address is forgotten after a day, a user after a month', () => {
  const counter = replay(attempts(1, () => ({}))).counters.get('ip:81.2.69.1')
  if (counter === undefined) throw new Error('no counter')
  expect(isIdleCounter('ip', counter, start + 25 * hour)).toBe(true)
  expect(isIdleCounter('user', counter, start + 25 * hour)).toBe(false)
})

test.each([
  ['auth.failed', 'failure'],
  ['auth.login_failed', 'failure'],
  ['auth.login', 'success'],
  ['auth.logout', undefined],
  ['toString', undefined],
])('%s counts as %s', (type, outcome) => {
  expect(authOutcome(type)).toBe(outcome)
})

test('honest people and offices raise no alarm of medium or more, and every planted attack does', async () => {
  const { measureAuth } = await import('../../testing/measure-auth.ts')
  const figures = measureAuth({ users: 1500, days: 6, seed: 3 })
  expect(figures.found).toBe(figures.planted)
  expect(figures.mediumPer1000).toBeLessThanOrEqual(1)
})
