export type AuthOutcome = 'failure' | 'success'

const outcomes: Readonly<Record<string, AuthOutcome>> = {
  'auth.failed': 'failure',
  'auth.failure': 'failure',
  'auth.login_failed': 'failure',
  'auth.login.failed': 'failure',
  'auth.login_failure': 'failure',
  'auth.login': 'success',
  'auth.success': 'success',
  'auth.login_success': 'success',
  'auth.login.success': 'success',
}

/** Whether an event type tells of a login that worked or failed; undefined for all others. */
export function authOutcome(type: string): AuthOutcome | undefined {
  return Object.hasOwn(outcomes, type) ? outcomes[type] : undefined
}

export interface AuthAttempt {
  readonly at: number
  readonly outcome: AuthOutcome
  readonly userId?: string
  readonly ip?: string
  readonly asn?: number
}
