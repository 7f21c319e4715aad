const DAY_MS = 86_400_000
/** Most searches end within the last days; each further stretch is eight times as long. */
const FIRST_DAYS = 4
const GROWTH = 8
const STRETCHES_MAX = 4

/** A stretch of event time, from `from` and below `below`; open where one is absent. */
export interface Window {
  readonly from?: Date
  readonly below?: Date
}

/**
 * Cuts the time of a search into stretches, newest first, that together cover all of it. The
 * database plans every day that a statement could touch, whether or not anything is there: over
 * the days of a long retention that costs many times what finding the events does.
 */
export function* searchWindows(
  now: number,
  limits: { readonly from?: Date | undefined; readonly upTo?: Date | undefined },
): Generator<Window> {
  const newest = Math.min(now, limits.upTo?.getTime() ?? now)
  const oldest = limits.from?.getTime() ?? Number.NEGATIVE_INFINITY
  let span = FIRST_DAYS * DAY_MS
  let start = Math.floor(newest / DAY_MS) * DAY_MS - span
  let below: Window = {}
  for (let stretch = 1; stretch < STRETCHES_MAX && start > oldest; stretch++) {
    yield { ...below, from: new Date(start) }
    below = { below: new Date(start) }
    span *= GROWTH
    start -= span
  }
  yield below
}
