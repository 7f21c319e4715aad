import { expect, test } from 'vitest'
import { seededRandom } from '../../testing/random.ts'
import { honestTraffic } from '../../testing/traffic.ts'
import { observeWindow } from './observe-window.ts'
import type { BaselineState } from './state.ts'
import { baselineView } from './view.ts'

const start = Date.UTC(2026, 2, 2)
const day = 86_400_000

function learn(days: number): BaselineState {
  let state: BaselineState | undefined
  const shape = { requestsPerHour: 2000, routes: 3 }
  for (const window of honestTraffic(seededRandom(5), shape, start)) {
    if (window.start >= start + days * day) break
    state = observeWindow(state, window).state
  }
  if (state === undefined) throw new Error('nothing learned')
  return state
}

const halfway = baselineView(learn(3.5), start + 3.5 * day)
const learned = learn(7)
const done = baselineView(learned, start + 7 * day + 12 * 3_600_000)

test('without any sample it is learning from nothing', () => {
  expect(baselineView(undefined, start)).toMatchObject({
    status: 'learning',
    learningStartedAt: null,
    learningEndsAt: null,
    progress: 0,
    samples: 0,
    profile: [],
  })
})

test('after half of the seven days the progress is a half', () => {
  expect(halfway).toMatchObject({
    status: 'learning',
    learningStartedAt: '2026-03-02T00:00:00.000Z',
    learningEndsAt: '2026-03-09T00:00:00.000Z',
    progress: 0.5,
    samples: 1008,
  })
})

test('nothing is enforced while learning', () => {
  expect(halfway.thresholds).toEqual({
    enforced: false,
    perIpPerMinute: null,
    requestsPer5Minutes: null,
    routes: [],
    validUntil: null,
  })
})

test('after seven days it is active and enforces limits', () => {
  expect(done).toMatchObject({ status: 'active', progress: 1, thresholds: { enforced: true } })
})

test('the limits leave room above what is usual', () => {
  const usual = (done.profile[0]?.requestsPerMinute[12] ?? 0) * 5
  expect(done.thresholds.requestsPer5Minutes).toBeGreaterThan(usual * 1.5)
  expect(done.thresholds.perIpPerMinute).toBeGreaterThanOrEqual(60)
})

test('the limits hold until the hour ends', () => {
  expect(done.thresholds.validUntil).toBe('2026-03-09T13:00:00.000Z')
})

test('the profile has the application first and every route with 168 hours', () => {
  expect(done.profile.map(({ route }) => route)).toEqual([
    '*',
    'GET /route-0',
    'GET /route-1',
    'GET /route-2',
  ])
  expect(done.profile.every(({ requestsPerMinute }) => requestsPerMinute.length === 168)).toBe(true)
})

test('the profile knows afternoons from nights', () => {
  const rates = done.profile[0]?.requestsPerMinute ?? []
  expect(rates[15]).toBeGreaterThan((rates[3] ?? 0) * 2)
})

test('hours that were never seen are null', () => {
  expect(halfway.profile[0]?.requestsPerMinute[150]).toBeNull()
})
