import type { Severity } from '@merlon/base'
import { networkOf } from '../network/address.ts'
import { shortHash } from '../short-hash.ts'
import type { AuthAttempt, AuthOutcome } from './outcome.ts'
import { addToWindow, type SlidingWindow } from './sliding-window.ts'

/** Whose attempts are counted together. */
export type SubjectKind = 'user' | 'ip' | 'network' | 'asn'

export interface AuthSubject {
  readonly kind: SubjectKind
  readonly key: string
}

/** [hash, last time]: the other side of attempts (users for an address, addresses for a user). */
export type Counterpart = readonly [hash: number, at: number]

/** Attempts of one subject; plain JSON of a few kilobytes at most. */
export interface AuthCounter {
  readonly updatedAt: number
  readonly minutes: SlidingWindow
  readonly hours: SlidingWindow
  readonly failedWith: readonly Counterpart[]
  readonly succeededWith: readonly Counterpart[]
  /** What was reported last per type, so that it is not reported with every attempt. */
  readonly reported: Readonly<Record<string, { readonly at: number; readonly severity: Severity }>>
}

export const minute = 60_000
export const day = 24 * 60 * minute

/** Enough to tell "very many" from "a few"; more would only make the row larger. */
const maxCounterparts = 128

export function emptyCounter(at: number): AuthCounter {
  return {
    updatedAt: at,
    minutes: { slotMs: minute, slots: [] },
    hours: { slotMs: 60 * minute, slots: [] },
    failedWith: [],
    succeededWith: [],
    reported: {},
  }
}

/** The subjects an attempt counts for, which are the rows to load before `observeAuth`. */
export function authSubjects(attempt: AuthAttempt): AuthSubject[] {
  const subjects: AuthSubject[] = []
  if (attempt.userId !== undefined) subjects.push({ kind: 'user', key: `user:${attempt.userId}` })
  if (attempt.ip !== undefined) {
    subjects.push({ kind: 'ip', key: `ip:${attempt.ip}` })
    const network = networkOf(attempt.ip)
    if (network !== undefined) subjects.push({ kind: 'network', key: `network:${network}` })
  }
  if (attempt.asn !== undefined) subjects.push({ kind: 'asn', key: `asn:${attempt.asn}` })
  return subjects
}

export function countAttempt(
  counter: AuthCounter,
  subject: AuthSubject,
  attempt: AuthAttempt,
): AuthCounter {
  const failed = attempt.outcome === 'failure'
  const other = subject.kind === 'user' ? attempt.ip : attempt.userId
  const add = (list: readonly Counterpart[], outcome: AuthOutcome) =>
    other === undefined || outcome !== attempt.outcome
      ? list
      : withCounterpart(list, other, attempt.at)
  return {
    ...counter,
    updatedAt: Math.max(counter.updatedAt, attempt.at),
    minutes: addToWindow(counter.minutes, attempt.at, failed),
    hours: addToWindow(counter.hours, attempt.at, failed),
    failedWith: add(counter.failedWith, 'failure'),
    succeededWith: add(counter.succeededWith, 'success'),
  }
}

export function distinctWithin(list: readonly Counterpart[], at: number, spanMs: number): number {
  return list.filter(([, time]) => time <= at && at - time < spanMs).length
}

export function hasCounterpart(list: readonly Counterpart[], other: string): boolean {
  const hash = shortHash(other)
  return list.some(([known]) => known === hash)
}

/**
 * A counter that can be deleted. A user's is kept for 30 days, because it knows the addresses that
 * the user logs in from; the others say nothing after a day.
 */
export function isIdleCounter(kind: SubjectKind, counter: AuthCounter, now: number): boolean {
  return now - counter.updatedAt > (kind === 'user' ? 30 : 1) * day
}

function withCounterpart(list: readonly Counterpart[], other: string, at: number): Counterpart[] {
  const hash = shortHash(other)
  const before = list.find(([known]) => known === hash)
  const latest: Counterpart = [hash, Math.max(at, before?.[1] ?? at)]
  return [...list.filter(([known]) => known !== hash), latest]
    .toSorted((a, b) => a[1] - b[1])
    .slice(-maxCounterparts)
}
