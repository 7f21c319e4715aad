/** One slot of time: its index since the epoch, failures, successes. */
export type Slot = readonly [index: number, failures: number, successes: number]

/** Counts per slot over a bounded stretch of time, newest last. */
export interface SlidingWindow {
  readonly slotMs: number
  readonly slots: readonly Slot[]
}

export interface Counts {
  readonly failures: number
  readonly successes: number
}

const maxSlots = 24

export function addToWindow(window: SlidingWindow, at: number, failed: boolean): SlidingWindow {
  const index = Math.floor(at / window.slotMs)
  const newest = Math.max(index, window.slots.at(-1)?.[0] ?? index)
  const existing = window.slots.find(([slot]) => slot === index)
  const updated: Slot = [
    index,
    (existing?.[1] ?? 0) + (failed ? 1 : 0),
    (existing?.[2] ?? 0) + (failed ? 0 : 1),
  ]
  const slots = [...window.slots.filter(([slot]) => slot !== index), updated]
    .filter(([slot]) => slot > newest - maxSlots)
    .toSorted((a, b) => a[0] - b[0])
  return { slotMs: window.slotMs, slots }
}

export function countWithin(window: SlidingWindow, at: number, spanMs: number): Counts {
  const last = Math.floor(at / window.slotMs)
  const first = last - Math.ceil(spanMs / window.slotMs) + 1
  let failures = 0
  let successes = 0
  for (const [slot, failed, succeeded] of window.slots) {
    if (slot < first || slot > last) continue
    failures += failed
    successes += succeeded
  }
  return { failures, successes }
}
