import type { Severity } from '@merlon/base'
import type { Anomaly, AuthDetection, FingerprintDetection, TravelDetection } from '@merlon/detect'
import type { Sighting } from './inbox-entry.ts'

/** A detection on its way to becoming an event: it says what was seen and why it matters. */
export interface Finding {
  readonly type: string
  readonly severity: Severity
  readonly title: string
  readonly description: string
  readonly at: number
  readonly userId: string | null
  readonly ip: string | null
  readonly payload: object
}

export function travelFinding(found: TravelDetection, seen: Sighting): Finding {
  const { type, severity, at, reasons, ...facts } = found
  return {
    type,
    severity,
    at,
    title: `A user signed in ${Math.round(found.km)} km apart within ${Math.round(found.minutes)} minutes`,
    description: reasons.join(' '),
    userId: seen.userId,
    ip: seen.ip,
    payload: { ...facts, reasons },
  }
}

export function fingerprintFinding(found: FingerprintDetection, seen: Sighting): Finding {
  const { type, severity, at, reasons, ...facts } = found
  return {
    type,
    severity,
    at,
    title:
      found.kind === 'session'
        ? 'One session is used from two clients'
        : 'A user signed in with a new device',
    description: reasons.join(' '),
    userId: seen.userId,
    ip: seen.ip,
    payload: { ...facts, reasons },
  }
}

const AUTH_TITLES: Readonly<Record<AuthDetection['type'], string>> = {
  'auth.account_takeover_suspected': 'A sign-in worked after many failed ones',
  'auth.brute_force': 'Many failed sign-ins in a short time',
  'auth.credential_stuffing': 'One source fails to sign in as many users',
}

export function authFinding(found: AuthDetection, seen: Sighting): Finding {
  const { type, severity, at, reasons, ...facts } = found
  return {
    type,
    severity,
    at,
    title: AUTH_TITLES[type],
    description: reasons.join(' '),
    userId:
      found.subject.kind === 'user' || type === 'auth.account_takeover_suspected'
        ? seen.userId
        : null,
    ip: seen.ip,
    payload: { ...facts, reasons },
  }
}

export function anomalyFinding(found: Anomaly): Finding {
  const { type, severity, at, reasons, ...facts } = found
  return {
    type,
    severity,
    at,
    title: `Traffic is not as usual: ${found.metric}${found.route === undefined ? '' : ` of ${found.route}`}`,
    description: reasons.join(' '),
    userId: null,
    ip: null,
    payload: { ...facts, reasons },
  }
}
