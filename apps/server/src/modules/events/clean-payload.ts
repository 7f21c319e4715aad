import type { FieldMatcher } from '@merlon/base'
import { eventLimits } from '@merlon/contract'

const MASK = '[redacted]'
const MAYBE_HALF = /[\ud800-\udfff]/
/** Read by whole characters, what is left of a surrogate is one without its partner. */
const HALF = /\p{Surrogate}/gu

/**
 * A NUL or half a character cannot be stored; the event is kept with a mark in its place. Cutting a
 * text may leave half a character too, so what was cut goes through here as well.
 */
export function storable(text: string): string {
  const whole = MAYBE_HALF.test(text) ? text.replace(HALF, '\ufffd') : text
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
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
