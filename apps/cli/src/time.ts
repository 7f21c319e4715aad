import { UsageError } from './exit-code.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** A date or time as the API takes it. */
export function isoTime(text: string): string {
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) {
    throw new UsageError(`"${text}" is no time; one looks like 2030-01-31 or 2030-01-31T12:00Z.`)
  }
  return new Date(atMs).toISOString()
}

/** The same, or how long ago: `30m`, `24h`, `7d`. */
export function pastTime(text: string, nowMs: number): string {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined
    ? isoTime(text)
    : new Date(nowMs - Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString()
}
