import { observeWindow, type AnomalyType, type BaselineState } from '../src/index.ts'
import { seededRandom } from './random.ts'
import { honestTraffic, surged } from './traffic.ts'

export interface BaselineFigures {
  readonly requestsPerHour: number
  readonly weeks: number
  /** Anomalies in honest traffic, per application and week after learning. */
  readonly falsePerWeek: number
  readonly byType: Readonly<Partial<Record<AnomalyType, number>>>
  /** Share of planted surges of 15 minutes that raised an alarm within them. */
  readonly found3x: number
  readonly found5x: number
  readonly stateBytes: number
}

export interface MeasureBaselineOptions {
  readonly requestsPerHour: number
  readonly runs: number
  /** Weeks after the one of learning. */
  readonly weeks: number
  readonly seed: number
  readonly routes?: number
}

const windowsPerWeek = 7 * 24 * 12
const start = Date.UTC(2026, 0, 5)

/** Honest traffic for weeks, with surges tried out on the side at random windows. */
export function measureBaseline(options: MeasureBaselineOptions): BaselineFigures {
  const byType: Partial<Record<AnomalyType, number>> = {}
  let alarms = 0
  const tried = { surges: 0, found3x: 0, found5x: 0 }
  let stateBytes = 0
  for (let run = 0; run < options.runs; run++) {
    const random = seededRandom(options.seed * 1000 + run)
    const chance = seededRandom(options.seed * 1000 + run + 500)
    const shape = { requestsPerHour: options.requestsPerHour, routes: options.routes ?? 20 }
    const traffic = honestTraffic(random, shape, start)
    let state: BaselineState | undefined
    for (let index = 0; index < (1 + options.weeks) * windowsPerWeek; index++) {
      const { value: window } = traffic.next()
      if (window === undefined) break
      if (index >= windowsPerWeek && chance.chance(0.01)) {
        tried.surges += 1
        // What the next two windows hold hardly matters: they are as this one, and so flooded.
        const next = [0, 1, 2].map((step) => ({ ...window, start: window.start + step * 300_000 }))
        const isFound = (factor: number) =>
          isSurgeFound(
            state,
            next.map((one) => surged(one, factor)),
          )
        if (isFound(3)) tried.found3x += 1
        if (isFound(5)) tried.found5x += 1
      }
      const result = observeWindow(state, window)
      state = result.state
      alarms += result.anomalies.length
      for (const { type } of result.anomalies) byType[type] = (byType[type] ?? 0) + 1
    }
    stateBytes = Math.max(stateBytes, JSON.stringify(state).length)
  }
  const weeks = options.runs * options.weeks
  return {
    requestsPerHour: options.requestsPerHour,
    weeks,
    falsePerWeek: alarms / weeks,
    byType,
    found3x: tried.found3x / Math.max(1, tried.surges),
    found5x: tried.found5x / Math.max(1, tried.surges),
    stateBytes,
  }
}

function isSurgeFound(
  state: BaselineState | undefined,
  windows: readonly Parameters<typeof observeWindow>[1][],
): boolean {
  let current = state
  for (const window of windows) {
    const result = observeWindow(current, window)
    current = result.state
    if (result.anomalies.some(({ type }) => type === 'anomaly.traffic_surge')) return true
  }
  return false
}
