import { severities, type Severity } from '@merlon/base'

/** The severity so many steps down, never below INFO. */
export function lowerSeverity(severity: Severity, steps: number): Severity {
  return severities[Math.min(severities.length - 1, severities.indexOf(severity) + steps)] ?? 'INFO'
}

export function atMost(severity: Severity, cap: Severity): Severity {
  return isAtLeast(severity, cap) ? cap : severity
}

export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(floor)
}
