import type { Severity } from '@merlon/base'
import { lowerSeverity } from '../severity.ts'
import { day, distinctWithin, hasCounterpart, minute } from './counter.ts'
import type { AuthCounter, AuthSubject } from './counter.ts'
import type { AuthAttempt } from './outcome.ts'
import { countWithin } from './sliding-window.ts'

export type AuthDetectionType =
  | 'auth.brute_force'
  | 'auth.credential_stuffing'
  | 'auth.account_takeover_suspected'

export interface AuthDetection {
  readonly type: AuthDetectionType
  readonly severity: Severity
  readonly at: number
  readonly subject: AuthSubject
  readonly failures: number
  readonly successes: number
  /** Users for an address or network, addresses for a user. */
  readonly distinct: number
  readonly windowMinutes: number
  readonly reasons: readonly string[]
}

const short = 15 * minute

/** People mistype a password a few times; programs do so all day. */
const userFailures = { short: 10, day: 50, severeShort: 50, severeAddresses: 5 }
const addressFailures = 30

/** How many users must fail before it looks like a list being tried, by how many people share it. */
const stuffedUsers = { ip: 10, network: 20, asn: 60 }
const slowStuffedUsers = 30

/** An office or a carrier has many users who get in; a list of stolen passwords has few. */
const sharedRatio = { short: 0.3, day: 0.1 }

export function judgeUser(
  subject: AuthSubject,
  before: AuthCounter,
  counter: AuthCounter,
  attempt: AuthAttempt,
): AuthDetection | undefined {
  const recent = countWithin(counter.minutes, attempt.at, short)
  const today = countWithin(counter.hours, attempt.at, day)
  const isFast = recent.failures >= userFailures.short
  if (!isFast && today.failures < userFailures.day) return undefined
  const span = isFast ? short : day
  const { failures, successes } = isFast ? recent : today
  const distinct = distinctWithin(counter.failedWith, attempt.at, span)
  const base = {
    at: attempt.at,
    subject,
    failures,
    successes,
    distinct,
    windowMinutes: span / minute,
  }
  const ownAddress = attempt.ip !== undefined && hasCounterpart(before.succeededWith, attempt.ip)
  const tried = `${failures} failed logins of one user within ${span / minute} min`
  if (attempt.outcome === 'success') {
    // Yesterday's failures do not make today's login suspect, an attack that still runs does.
    if (!isFast) return undefined
    const reasons = [`A login worked after ${tried}.`]
    if (ownAddress) reasons.push('Lowered: the user has logged in from this address before.')
    const severity = ownAddress ? 'LOW' : 'CRITICAL'
    return { ...base, type: 'auth.account_takeover_suspected', severity, reasons }
  }
  const reasons = [`${tried}, from ${distinct} ${distinct === 1 ? 'address' : 'addresses'}.`]
  const severe =
    recent.failures >= userFailures.severeShort || distinct >= userFailures.severeAddresses
  let severity: Severity = severe ? 'HIGH' : 'MEDIUM'
  if (ownAddress) {
    severity = lowerSeverity(severity, 1)
    reasons.push('Lowered: the user has logged in from this address before.')
  }
  return { ...base, type: 'auth.brute_force', severity, reasons }
}

export function judgeNetwork(
  subject: AuthSubject,
  before: AuthCounter,
  counter: AuthCounter,
  attempt: AuthAttempt,
): AuthDetection | undefined {
  if (subject.kind === 'user') return undefined
  if (attempt.outcome === 'success') return judgeStuffedLogin(subject, before, attempt)
  const users = (span: number) => ({
    failed: distinctWithin(counter.failedWith, attempt.at, span),
    succeeded: distinctWithin(counter.succeededWith, attempt.at, span),
  })
  const now = users(short)
  const today = users(day)
  const isFast =
    now.failed >= stuffedUsers[subject.kind] && ratio(now.succeeded, now.failed) < sharedRatio.short
  const isSlow =
    subject.kind === 'ip' &&
    today.failed >= slowStuffedUsers &&
    ratio(today.succeeded, today.failed) < sharedRatio.day
  const span = isFast || !isSlow ? short : day
  const window = span === short ? counter.minutes : counter.hours
  const { failures, successes } = countWithin(window, attempt.at, span)
  const distinct = span === short ? now.failed : today.failed
  const base = {
    at: attempt.at,
    subject,
    failures,
    successes,
    distinct,
    windowMinutes: span / minute,
  }
  if (isFast || isSlow) {
    const succeeded = span === short ? now.succeeded : today.succeeded
    const reasons = [
      `${distinct} different users failed to log in from one ${subject.kind} within ${span / minute} min, and ${succeeded} got in.`,
    ]
    return { ...base, type: 'auth.credential_stuffing', severity: 'HIGH', reasons }
  }
  const isHammering =
    subject.kind === 'ip' && failures >= addressFailures && ratio(successes, failures) < 0.5
  if (!isHammering || now.failed >= stuffedUsers.ip) return undefined
  const reasons = [`${failures} failed logins from one address within ${span / minute} min.`]
  return { ...base, type: 'auth.brute_force', severity: 'MEDIUM', reasons }
}

function judgeStuffedLogin(
  subject: AuthSubject,
  before: AuthCounter,
  attempt: AuthAttempt,
): AuthDetection | undefined {
  const reported = before.reported['auth.credential_stuffing']
  if (subject.kind !== 'ip' || reported === undefined || attempt.userId === undefined)
    return undefined
  if (Math.abs(attempt.at - reported.at) > 60 * minute) return undefined
  if (hasCounterpart(before.succeededWith, attempt.userId)) return undefined
  const { failures, successes } = countWithin(before.hours, attempt.at, day)
  return {
    type: 'auth.account_takeover_suspected',
    severity: 'CRITICAL',
    at: attempt.at,
    subject,
    failures,
    successes: successes + 1,
    distinct: distinctWithin(before.failedWith, attempt.at, day),
    windowMinutes: day / minute,
    reasons: ['A login worked from an address that is trying many users, and never did before.'],
  }
}

function ratio(part: number, rest: number): number {
  return part / Math.max(1, part + rest)
}
