import { windowMs } from './week.ts'

/** Whether a number is above its threshold, over time; plain JSON. */
export interface Excursion {
  /** Starts of the windows above it among the last three. */
  readonly over: readonly number[]
  /** Since when there are excursions, with less than a day and a half of calm between them. */
  readonly since: number | null
  readonly lastOver: number | null
  readonly reportedAt: number | null
}

export const calm: Excursion = { over: [], since: null, lastOver: null, reportedAt: null }

const hour = 3_600_000
const day = 24 * hour

const lullMs = 1.5 * day

/** One window may be chance: two of three are an alarm. */
const span = 3 * windowMs
const needed = 2

export interface ExcursionStep {
  readonly excursion: Excursion
  readonly isAlarm: boolean
}

/** Takes one window in. An excursion is reported once, and again after each day that it lasts. */
export function followExcursion(
  before: Excursion,
  start: number,
  isOver: boolean,
  windowsNeeded = needed,
): ExcursionStep {
  const quietMs = before.lastOver === null ? 0 : start - before.lastOver
  // What comes every night belongs together, though each night is told anew.
  const earlier =
    quietMs > lullMs ? calm : quietMs > hour ? { ...before, reportedAt: null } : before
  const over = earlier.over.filter((time) => start - time < span)
  if (!isOver) return { excursion: { ...earlier, over }, isAlarm: false }
  const now = [...over, start]
  const isNew = earlier.reportedAt === null || start - earlier.reportedAt >= day
  const isAlarm = now.length >= windowsNeeded && isNew
  const excursion: Excursion = {
    over: now,
    since: earlier.since ?? start,
    lastOver: start,
    reportedAt: isAlarm ? start : earlier.reportedAt,
  }
  return { excursion, isAlarm }
}

/** After a day above the threshold it is not an attack any more but the new size of the traffic. */
export function isLasting(excursion: Excursion, start: number): boolean {
  return excursion.since !== null && start - excursion.since >= day
}
