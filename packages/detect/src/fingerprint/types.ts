import type { Severity } from '@merlon/base'
import type { Fingerprint, FingerprintDifference, FingerprintInput } from './fingerprint.ts'

export interface FingerprintSighting extends FingerprintInput {
  readonly at: number
  /** True for auth.login: only a login may introduce a new device. */
  readonly isLogin: boolean
  readonly sessionId?: string
  /** Failed logins of this user shortly before, where the caller counts them. */
  readonly recentFailures?: number
}

export interface KnownDevice {
  readonly print: Fingerprint
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly count: number
}

export interface KnownSession {
  /** A short hash: the id itself would let whoever reads the state take the session over. */
  readonly id: number
  readonly at: number
  readonly prints: readonly Fingerprint[]
}

/** What is remembered of one user's devices and sessions; plain JSON. */
export interface FingerprintState {
  readonly firstSeenAt: number
  readonly devices: readonly KnownDevice[]
  readonly sessions: readonly KnownSession[]
}

export interface FingerprintDetection {
  readonly type: 'session.fingerprint_changed'
  /** session: one session came from two clients; device: a known user came with a new one. */
  readonly kind: 'session' | 'device'
  readonly severity: Severity
  readonly at: number
  readonly before: Fingerprint
  readonly after: Fingerprint
  readonly changes: readonly FingerprintDifference[]
  readonly reasons: readonly string[]
}

export interface FingerprintResult {
  readonly state: FingerprintState
  readonly detection?: FingerprintDetection
}
