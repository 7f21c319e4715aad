import {
  authOutcome,
  authSubjects,
  detectFingerprintChange,
  detectTravel,
  observeAggregate,
  observeAuth,
  type AuthAttempt,
  type AuthCounter,
  type BaselineState,
  type FingerprintState,
  type TravelState,
} from '@merlon/detect'
import type { Finding } from './finding.ts'
import { anomalyFinding, authFinding, fingerprintFinding, travelFinding } from './finding.ts'
import type { InboxEntry, Sighting } from './inbox-entry.ts'

/** The states of one app, by kind and key; reads what was loaded, keeps what was changed. */
export interface StateBook {
  read(kind: string, key: string): unknown
  write(kind: string, key: string, state: unknown): void
}

export const BASELINE_KIND = 'baseline'
export const BASELINE_KEY = 'app'

/** Which states an entry needs, so that a whole batch can be loaded in one question. */
export function statesNeeded(entry: InboxEntry): readonly { kind: string; key: string }[] {
  if (entry.kind === 'aggregate') return [{ kind: BASELINE_KIND, key: BASELINE_KEY }]
  const needed: { kind: string; key: string }[] = []
  if (entry.userId !== null) {
    needed.push({ kind: 'travel', key: entry.userId }, { kind: 'fingerprint', key: entry.userId })
  }
  const attempt = attemptOf(entry)
  if (attempt !== undefined)
    needed.push(...authSubjects(attempt).map(({ key }) => ({ kind: 'auth', key })))
  return needed
}

export function judge(entry: InboxEntry, book: StateBook, now: number): readonly Finding[] {
  if (entry.kind === 'aggregate') {
    const known = book.read(BASELINE_KIND, BASELINE_KEY) as BaselineState | undefined
    const { state, anomalies } = observeAggregate(known, entry.aggregate, now)
    book.write(BASELINE_KIND, BASELINE_KEY, state)
    return anomalies.map(anomalyFinding)
  }
  return [
    ...judgeTravel(entry, book),
    ...judgeFingerprint(entry, book),
    ...judgeAttempts(entry, book),
  ]
}

function judgeTravel(entry: Sighting, book: StateBook): readonly Finding[] {
  if (entry.userId === null || entry.ip === null || authOutcome(entry.type) !== 'success') return []
  const known = book.read('travel', entry.userId) as TravelState | undefined
  const userAgent = entry.userAgent === undefined ? {} : { userAgent: entry.userAgent }
  const { state, detection } = detectTravel(known, {
    at: entry.at,
    ip: entry.ip,
    ...entry.place,
    ...userAgent,
  })
  book.write('travel', entry.userId, state)
  return detection === undefined ? [] : [travelFinding(detection, entry)]
}

function judgeFingerprint(entry: Sighting, book: StateBook): readonly Finding[] {
  if (entry.userId === null) return []
  const known = book.read('fingerprint', entry.userId) as FingerprintState | undefined
  const { state, detection } = detectFingerprintChange(known, {
    at: entry.at,
    isLogin: authOutcome(entry.type) === 'success',
    ...(entry.userAgent === undefined ? {} : { userAgent: entry.userAgent }),
    ...(entry.acceptLanguage === undefined ? {} : { acceptLanguage: entry.acceptLanguage }),
    ...(entry.sessionId === undefined ? {} : { sessionId: entry.sessionId }),
    ...(entry.place.asn === undefined ? {} : { asn: entry.place.asn }),
    ...(entry.place.country === undefined ? {} : { country: entry.place.country }),
  })
  book.write('fingerprint', entry.userId, state)
  return detection === undefined ? [] : [fingerprintFinding(detection, entry)]
}

function judgeAttempts(entry: Sighting, book: StateBook): readonly Finding[] {
  const attempt = attemptOf(entry)
  if (attempt === undefined) return []
  const known = Object.fromEntries(
    authSubjects(attempt).map(({ key }) => [
      key,
      book.read('auth', key) as AuthCounter | undefined,
    ]),
  )
  const { counters, detections } = observeAuth(known, attempt)
  for (const [key, counter] of Object.entries(counters)) book.write('auth', key, counter)
  return detections.map((detection) => authFinding(detection, entry))
}

function attemptOf(entry: Sighting): AuthAttempt | undefined {
  const outcome = authOutcome(entry.type)
  if (outcome === undefined) return undefined
  return {
    at: entry.at,
    outcome,
    ...(entry.userId === null ? {} : { userId: entry.userId }),
    ...(entry.ip === null ? {} : { ip: entry.ip }),
    ...(entry.place.asn === undefined ? {} : { asn: entry.place.asn }),
  }
}
