import type { FieldMatcher } from '@merlon/base'
import { eventLimits } from '@merlon/contract'

const MASK = '[redacted]'
const UNSTORABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const MAYBE_UNSTORABLE = /[\u0000\ud800-\udfff]/

/** A NUL or half a character cannot be stored; the event is kept with a mark in its place. */
export function storable(text: string): string {
  return MAYBE_UNSTORABLE.test(text) ? text.replace(UNSTORABLE, '\ufffd') : text
}

/**
 * One walk over a payload: masks sensitive fields at any depth, makes text storable, and finds out
 * whether it is nested too deep. Throws nothing; `tooDeep` tells.
 */
export function cleanPayload(
  payload: object,
  isSensitive: FieldMatcher,
): { clean: object; tooDeep: boolean } {
  const state = { tooDeep: false }
  return { clean: walk(payload, isSensitive, 1, state) as object, tooDeep: state.tooDeep }
}

function walk(
  value: unknown,
  isSensitive: FieldMatcher,
  depth: number,
  state: { tooDeep: boolean },
): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > eventLimits.payloadDepth) {
    state.tooDeep = true
    return null
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, isSensitive, depth + 1, state))
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name]
    copy[storable(name)] =
      isSensitive(name) && field !== null ? MASK : walk(field, isSensitive, depth + 1, state)
  }
  return copy
}
