import type { TrafficAggregate } from './aggregate.ts'
import type { Anomaly } from './anomaly.ts'
import { observeWindow, type BaselineResult } from './observe-window.ts'
import { emptyBaseline, type BaselineState } from './state.ts'
import { addToDraft, closeDraft, closesAt, draftStartOf, emptyDraft } from './window.ts'

/** Open windows at most; an aggregate from further back is late and is left out. */
const mostDrafts = 4

const aheadMs = 5 * 60_000

/**
 * Takes one minute of one SDK instance in, and judges the windows which that completes. Windows close
 * by the minutes that come in, not by `now`, so that minutes sent late in one go are all counted.
 */
export function observeAggregate(
  known: BaselineState | undefined,
  aggregate: TrafficAggregate,
  now: number,
): BaselineResult {
  const state = known ?? emptyBaseline()
  const start = draftStartOf(aggregate)
  // A clock that is ahead would close windows that honest instances still fill.
  if (start > now + aheadMs) return { state, anomalies: [] }
  if (state.lastWindowAt !== null && start <= state.lastWindowAt) return { state, anomalies: [] }
  const draft = state.drafts.find((other) => other.start === start) ?? emptyDraft(start)
  const others = state.drafts.filter((other) => other.start !== start)
  const drafts = [...others, addToDraft(draft, aggregate)].toSorted((a, b) => a.start - b.start)
  return closeWindows({ ...state, drafts }, Date.parse(aggregate.minute) + 60_000)
}

/** Judges the windows that are over by now; called by itself when no more minutes come in. */
export function closeWindows(known: BaselineState, now: number): BaselineResult {
  let state = known
  const anomalies: Anomaly[] = []
  const isDue = (index: number, closing: number) =>
    closing <= now || index < known.drafts.length - mostDrafts
  for (const [index, draft] of known.drafts.entries()) {
    if (!isDue(index, closesAt(draft))) break
    const open = state.drafts.filter((other) => other.start !== draft.start)
    const result = observeWindow({ ...state, drafts: open }, closeDraft(draft))
    state = result.state
    anomalies.push(...result.anomalies)
  }
  return { state, anomalies }
}
