import type { Metric } from './metric.ts'
import {
  poissonUpper,
  round,
  spreadOf,
  weightedMedian,
  type SampleGroup,
  type Spread,
} from './statistics.ts'
import { dayNumber, hourOfWeek, ownHours, pooledHours, windowsPerHour } from './week.ts'

/** What was learned of one number of an application; plain JSON. */
export interface MetricState {
  /** Per hour of the week the newest flattened samples, newest last. */
  readonly cells: Readonly<Record<string, readonly number[]>>
  /** Level that the baseline may have on a day at most, and how far above it the samples are. */
  readonly guard: { readonly day: number; readonly level: number; readonly factor: number } | null
}

export interface Expectation {
  readonly expected: number
  readonly alarm: number
  readonly limit: number
}

export const emptyMetric: MetricState = { cells: {}, guard: null }

/** Two weeks of an hour; with the weights below that is a half-life of 14 days. */
const samplesPerHour = 2 * windowsPerHour
const weekWeight = 2 ** (-7 / 14)

/** With fewer samples than this a median says nothing, so nothing is an excursion. */
const leastSamples = 24

/** What a day may add to the usual at most. */
export const dailyGrowth = 1.1
const week = 7 * 24 * 3_600_000

export function expectationAt(
  state: MetricState,
  metric: Metric,
  at: number,
  learnedMs: number,
): Expectation | undefined {
  const hour = hourOfWeek(at)
  const pooled = spreadOf(samplesOf(state, pooledHours(hour)))
  if (pooled.count < leastSamples) return undefined
  const median = shrink(state, pooled, hour, learnedMs)
  const mad = Math.max(pooled.mad, metric.leastMad)
  const factor = state.guard?.factor ?? 1
  const expected = metric.unflatten(median) * factor
  const above = (mads: number) => {
    const bound = metric.unflatten(median + mads * mad) * factor
    // Few events scatter more than the square root scale tells.
    const isRare = metric.isCount && expected < 10
    return isRare ? Math.max(bound, poissonUpper(Math.max(expected, 0.5), 1e-5)) : bound
  }
  return { expected, alarm: above(metric.alarmMads), limit: above(metric.limitMads) }
}

/** After four weeks an hour of the week has a past of its own, and half of the say. */
function shrink(state: MetricState, pooled: Spread, hour: number, learnedMs: number): number {
  if (learnedMs < 4 * week) return pooled.median
  const own = spreadOf(samplesOf(state, ownHours(hour)))
  return own.count < leastSamples ? pooled.median : (own.median + pooled.median) / 2
}

export function learn(state: MetricState, metric: Metric, at: number, value: number): MetricState {
  const hour = hourOfWeek(at)
  const cell = [...(state.cells[hour] ?? []), round(metric.flatten(value), 3)].slice(
    -samplesPerHour,
  )
  return { ...state, cells: { ...state.cells, [hour]: cell } }
}

/**
 * Once a day: whoever pushes the traffic up slowly must not take the thresholds along, so the
 * learned level may rise by a tenth per day and no faster.
 */
export function guardGrowth(state: MetricState, metric: Metric, at: number): MetricState {
  const day = dayNumber(at)
  const { guard } = state
  if (guard !== null && guard.day >= day) return state
  const hours = Object.keys(state.cells).map(Number)
  const level = metric.unflatten(weightedMedian(samplesOf(state, hours)))
  const grown = guard === null ? level : guard.level * dailyGrowth ** (day - guard.day)
  // From next to nothing everything is a multiple, so small levels may move freely.
  const capped = Math.min(level, Math.max(grown, metric.leastValue))
  return { ...state, guard: { day, level: capped, factor: level > 0 ? capped / level : 1 } }
}

export function medianAt(state: MetricState, metric: Metric, hour: number): number | null {
  if (state.cells[hour] === undefined) return null
  return metric.unflatten(weightedMedian(samplesOf(state, [hour])))
}

function samplesOf(state: MetricState, hours: readonly number[]): SampleGroup[] {
  const thisWeek: number[] = []
  const earlier: number[] = []
  for (const hour of hours) {
    const cell = state.cells[hour] ?? []
    const newest = cell.length - windowsPerHour
    for (const [index, value] of cell.entries()) (index >= newest ? thisWeek : earlier).push(value)
  }
  return [
    { values: thisWeek, weight: 1 },
    { values: earlier, weight: weekWeight },
  ]
}
