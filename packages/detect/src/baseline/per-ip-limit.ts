import { dayNumber } from './week.ts'

/** How many requests single addresses make per minute, as counts per logarithmic step; plain JSON. */
export interface PerIpState {
  readonly steps: Readonly<Record<string, number>>
  readonly count: number
  readonly guard: { readonly day: number; readonly limit: number } | null
}

export const emptyPerIp: PerIpState = { steps: {}, count: 0, guard: null }

/** One step is ten percent, which is finer than any rate limit needs. */
const stepLog = Math.log(1.1)

/** Two weeks of minutes: then all counts are halved, so that the old fades. */
const mostCounted = 2 * 7 * 24 * 60

const dailyGrowth = 1.1
const headroom = 2

/** Of the minutes' own 99.5th percentiles this share must pass untouched. */
const shareOfMinutes = 0.995

export function countPerIp(state: PerIpState, values: readonly number[]): PerIpState {
  if (values.length === 0) return state
  const steps: Record<string, number> = { ...state.steps }
  let { count } = state
  for (const value of values) {
    if (value <= 0) continue
    const step = Math.ceil(Math.log(value) / stepLog)
    steps[step] = (steps[step] ?? 0) + 1
    count += 1
  }
  if (count <= mostCounted) return { ...state, steps, count }
  const halved = Object.entries(steps)
    .map(([step, times]) => [step, Math.floor(times / 2)] as const)
    .filter(([, times]) => times > 0)
  const left = halved.reduce((sum, [, times]) => sum + times, 0)
  return { ...state, steps: Object.fromEntries(halved), count: left }
}

/** Requests per address and minute that may be enforced, or undefined before anything was counted. */
export function perIpLimit(state: PerIpState, floor: number): number | undefined {
  if (state.count === 0) return undefined
  const limit = Math.max(floor, Math.ceil(percentile(state) * headroom))
  return state.guard === null ? limit : Math.max(floor, Math.min(limit, state.guard.limit))
}

/** Once a day: the limit may rise by a tenth per day, so that an attacker cannot stretch it. */
export function guardPerIp(state: PerIpState, at: number, floor: number): PerIpState {
  const day = dayNumber(at)
  if (state.count === 0 || (state.guard !== null && state.guard.day >= day)) return state
  const wanted = Math.max(floor, percentile(state) * headroom)
  const { guard } = state
  const most = guard === null ? wanted : guard.limit * dailyGrowth ** (day - guard.day)
  return { ...state, guard: { day, limit: Math.ceil(Math.max(floor, Math.min(wanted, most))) } }
}

function percentile(state: PerIpState): number {
  const wanted = state.count * shareOfMinutes
  const sorted = Object.entries(state.steps).toSorted((a, b) => Number(a[0]) - Number(b[0]))
  let passed = 0
  for (const [step, times] of sorted) {
    passed += times
    if (passed >= wanted) return Math.exp(Number(step) * stepLog)
  }
  return 0
}
