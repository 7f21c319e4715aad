const FIRST_MS = 1_000
const LONGEST_MS = 10 * 60_000

/**
 * How long to wait after the attempt that failed: doubling from one second to ten minutes, less up
 * to a half, so that a thousand jobs which failed together do not come back together.
 */
export function retryDelayMs(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30))
  return Math.round(full * (1 - random() / 2))
}
