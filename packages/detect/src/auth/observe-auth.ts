import { isAtLeast } from '../severity.ts'
import { authSubjects, countAttempt, emptyCounter, minute, type AuthCounter } from './counter.ts'
import type { AuthAttempt } from './outcome.ts'
import { judgeNetwork, judgeUser, type AuthDetection } from './rules.ts'

export interface AuthResult {
  /** The counters that this attempt touched, by subject key; all others are as they were. */
  readonly counters: Readonly<Record<string, AuthCounter>>
  readonly detections: readonly AuthDetection[]
}

const repeatMs = 60 * minute

/**
 * Counts one attempt for its user, address, network and provider. `known` holds the counters of
 * `authSubjects(attempt)` where there are any; the touched ones come back for storing.
 */
export function observeAuth(
  known: Readonly<Record<string, AuthCounter | undefined>>,
  attempt: AuthAttempt,
): AuthResult {
  const counters: Record<string, AuthCounter> = {}
  const detections: AuthDetection[] = []
  let narrower: AuthCounter | undefined
  for (const subject of authSubjects(attempt)) {
    const before = known[subject.key] ?? emptyCounter(attempt.at)
    const counted = countAttempt(before, subject, attempt)
    const judge = subject.kind === 'user' ? judgeUser : judgeNetwork
    const found = judge(subject, before, counted, attempt)
    const isNews =
      found !== undefined && !isRepeat(before, found) && !(narrower && isRepeat(narrower, found))
    counters[subject.key] = isNews ? withReport(counted, found) : counted
    if (isNews) detections.push(found)
    // One address under attack is no news about its network, so that wider circles stay quiet.
    if (subject.kind !== 'user') narrower = counters[subject.key]
  }
  return { counters, detections }
}

function isRepeat(counter: AuthCounter, found: AuthDetection): boolean {
  // Every user who is taken over counts; the rule itself tells each of them once.
  if (found.type === 'auth.account_takeover_suspected' && found.subject.kind === 'ip') return false
  const reported = counter.reported[found.type]
  if (reported === undefined || Math.abs(found.at - reported.at) > repeatMs) return false
  return isAtLeast(reported.severity, found.severity)
}

function withReport(counter: AuthCounter, found: AuthDetection): AuthCounter {
  const report = { at: found.at, severity: found.severity }
  return { ...counter, reported: { ...counter.reported, [found.type]: report } }
}
