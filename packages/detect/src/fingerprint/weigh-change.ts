import type { Severity } from '@merlon/base'
import { isAtLeast } from '../severity.ts'
import {
  differences,
  fingerprintName,
  isDesktopMode,
  type Fingerprint,
  type FingerprintDifference,
} from './fingerprint.ts'
import type { FingerprintSighting, FingerprintState } from './types.ts'

export interface ChangeWeight {
  readonly severity: Severity
  readonly changes: readonly FingerprintDifference[]
  readonly reasons: readonly string[]
}

/** How bad it is that one session shows both prints, or undefined when that is everyday life. */
export function weighSession(before: Fingerprint, after: Fingerprint): ChangeWeight | undefined {
  const changes = differences(before, after)
  const changed = (field: FingerprintDifference['field']) =>
    changes.some((change) => change.field === field)
  const reasons: string[] = []
  let severity: Severity | undefined
  const raise = (to: Severity, why: string) => {
    if (severity === undefined || isAtLeast(to, severity)) severity = to
    reasons.push(why)
  }
  const names = `${fingerprintName(before)} and now ${fingerprintName(after)}`
  if (isDesktopMode(before, after)) {
    raise('LOW', `The session came from ${names}, as when a desktop site is requested.`)
  } else if (changed('browser') || changed('platform')) {
    raise('HIGH', `The same session came from ${names}: a session stays in one browser.`)
  }
  if (changed('version')) {
    raise('HIGH', `The browser went back from version ${before.major} to ${after.major}.`)
  }
  if (changed('language')) {
    raise('LOW', `The preferred language changed from ${before.language} to ${after.language}.`)
  }
  // Phones move between networks all day; a network in another country is worth a look.
  if (changed('country') && changed('network')) {
    raise(
      'MEDIUM',
      `The session moved from ${before.country} to ${after.country}, another network.`,
    )
  }
  return severity === undefined ? undefined : { severity, changes, reasons }
}

const day = 24 * 3_600_000
const settledMs = 7 * day

export function weighDevice(
  state: FingerprintState,
  print: Fingerprint,
  sighting: FingerprintSighting,
  latest: Fingerprint,
): ChangeWeight {
  const reasons = [`The user logged in with a device not seen before: ${fingerprintName(print)}.`]
  const known = state.devices.map((device) => device.print)
  const isNew = <K extends keyof Fingerprint>(field: K) =>
    print[field] !== undefined && known.every((other) => other[field] !== print[field])
  const signs: string[] = []
  if (isNew('country')) signs.push(`a new country (${print.country})`)
  if (isNew('asn')) signs.push(`a new network (AS${print.asn})`)
  if (isNew('language')) signs.push(`a new language (${print.language})`)
  const failures = sighting.recentFailures ?? 0
  if (failures >= 3) signs.push(`${failures} failed logins shortly before`)
  if (signs.length > 0) reasons.push(`Together with it: ${signs.join(', ')}.`)
  let severity: Severity = signs.length >= 2 ? 'MEDIUM' : 'LOW'
  if (sighting.at - state.firstSeenAt < settledMs) {
    severity = 'LOW'
    reasons.push('Lowered: the user is new, and people add their devices in the first days.')
  }
  return { severity, changes: differences(latest, print), reasons }
}
