/** Five fields in UTC, each the sorted numbers that it allows. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[]
  readonly months: readonly number[]
  readonly daysOfWeek: readonly number[]
  /** As everywhere: with both day fields restricted, either one is enough. */
  readonly eitherDay: boolean
}

const FIELDS = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12 },
  // 7 is Sunday as well.
  { name: 'day of week', from: 0, to: 7 },
] as const

type Field = (typeof FIELDS)[number]

const DAY_MS = 86_400_000
/** The longest wait there is: from one 29 February to the next over a year like 2100. */
const DAYS_MAX = 8 * 366 + 1

/** `minute hour day-of-month month day-of-week`, with `*`, lists, ranges and steps. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) {
    throw new Error(`The schedule ${JSON.stringify(text)} must have five fields.`)
  }
  const [minutes = [], hours = [], daysOfMonth = [], months = [], weekdays = []] = FIELDS.map(
    (field, index) => parseField(field, parts[index] ?? '', text),
  )
  const cron = {
    minutes,
    hours,
    daysOfMonth,
    months,
    daysOfWeek: [...new Set(weekdays.map((day) => day % 7))].toSorted((a, b) => a - b),
    eitherDay: !isOpen(parts[2]) && !isOpen(parts[4]),
  }
  // Seen from a 29 February, every day that exists lies within the last eight years.
  if (previousTick(cron, Date.UTC(2104, 1, 29, 23, 59)) === undefined) {
    throw new Error(`The schedule ${JSON.stringify(text)} names a day that never comes.`)
  }
  return cron
}

/** The latest matching minute at or before `atMs`; undefined where none came in eight years. */
export function previousTick(cron: Cron, atMs: number): number | undefined {
  const at = new Date(atMs)
  const today = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())
  for (let back = 0; back <= DAYS_MAX; back++) {
    const day = today - back * DAY_MS
    if (!allowsDay(cron, new Date(day))) continue
    const minuteOfDay = lastMinute(cron, back === 0 ? Math.floor((atMs - today) / 60_000) : 1_439)
    if (minuteOfDay !== undefined) return day + minuteOfDay * 60_000
  }
  return undefined
}

function allowsDay(cron: Cron, day: Date): boolean {
  if (!cron.months.includes(day.getUTCMonth() + 1)) return false
  const byDate = cron.daysOfMonth.includes(day.getUTCDate())
  const byWeekday = cron.daysOfWeek.includes(day.getUTCDay())
  return cron.eitherDay ? byDate || byWeekday : byDate && byWeekday
}

function lastMinute(cron: Cron, limit: number): number | undefined {
  const hour = cron.hours.findLast((h) => h * 60 + (cron.minutes[0] ?? 0) <= limit)
  if (hour === undefined) return undefined
  const minute = cron.minutes.findLast((m) => hour * 60 + m <= limit)
  return minute === undefined ? undefined : hour * 60 + minute
}

function isOpen(part: string | undefined): boolean {
  return part?.startsWith('*') === true
}

function parseField(field: Field, part: string, text: string): readonly number[] {
  const allowed = new Set<number>()
  for (const item of part.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(item)
    if (match === null) throw refused(field, item, text)
    const [, first, last, step] = match
    const from = first === undefined ? field.from : Number(first)
    // `5/15` means from 5 on, `5` means 5 alone.
    const open = first === undefined || (last === undefined && step !== undefined)
    const to = open ? field.to : Number(last ?? first)
    const by = step === undefined ? 1 : Number(step)
    if (from < field.from || to > field.to || from > to || by < 1) throw refused(field, item, text)
    for (let value = from; value <= to; value += by) allowed.add(value)
  }
  return [...allowed].toSorted((a, b) => a - b)
}

function refused(field: Field, item: string, text: string): Error {
  return new Error(
    `The schedule ${JSON.stringify(text)} has ${JSON.stringify(item)} as ${field.name}; ` +
      `numbers from ${field.from} to ${field.to} are allowed.`,
  )
}
