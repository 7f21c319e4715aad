const hour = 3_600_000
const day = 24 * hour

export const windowMs = 5 * 60_000
export const windowsPerHour = 12
export const hoursPerWeek = 168

/** Hour of the week in UTC; 0 is Monday from 00:00. */
export function hourOfWeek(at: number): number {
  // The epoch was a Thursday, three days after a Monday.
  return Math.floor((at + 3 * day) / hour) % hoursPerWeek
}

export function dayNumber(at: number): number {
  return Math.floor(at / day)
}

export function windowStart(at: number): number {
  return Math.floor(at / windowMs) * windowMs
}

export function isWeekendHour(hourIndex: number): boolean {
  return hourIndex >= 120
}

const weekdays = [0, 1, 2, 3, 4]
const weekend = [5, 6]

/** Hours that are alike: the same hour of day and its neighbours, on working days or on weekends. */
export function pooledHours(hourIndex: number): number[] {
  const days = isWeekendHour(hourIndex) ? weekend : weekdays
  return days.flatMap((dayIndex) => hoursAround(dayIndex, hourIndex % 24))
}

/** The same hour of the same weekday, with its neighbours. */
export function ownHours(hourIndex: number): number[] {
  return hoursAround(Math.floor(hourIndex / 24), hourIndex % 24)
}

function hoursAround(dayIndex: number, hourOfDay: number): number[] {
  return [-1, 0, 1].map((step) => dayIndex * 24 + ((hourOfDay + step + 24) % 24))
}
