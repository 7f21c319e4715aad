const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Together just under three days: a receiver may be down over a weekend and miss nothing. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  ...Array<number>(5).fill(12 * HOUR),
]
const PAUSE_MAX_MS = 10 * MINUTE

/** How long after the attempt with this number (1 is the first) the next one follows; undefined: never. */
export function retryDelayMs(attempt: number, random: () => number): number | undefined {
  const delay = DELAYS_MS[attempt - 1]
  // Up to a twentieth later, so that what failed together does not come back together.
  return delay === undefined ? undefined : Math.round(delay * (1 + random() / 20))
}

/** How long new events wait after so many failures in a row, of whatever delivery. */
export function pauseMs(consecutiveFailures: number): number {
  return Math.min(DELAYS_MS[consecutiveFailures - 1] ?? PAUSE_MAX_MS, PAUSE_MAX_MS)
}
