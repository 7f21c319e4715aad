import type { SecurityEvent } from '@merlon/client'

/** Whether an event is of one of the types and one of the severities; no word means any. */
export function createEventFilter(types: readonly string[], severities: readonly string[]) {
  const patterns = types.map(typePattern)
  return ({ type, severity }: Pick<SecurityEvent, 'type' | 'severity'>): boolean =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(type))) &&
    (severities.length === 0 || severities.includes(severity))
}

/** `*` stands for any text, as in the types of a webhook. */
function typePattern(text: string): RegExp {
  // Stars in a row mean what one means, and would only cost time.
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
