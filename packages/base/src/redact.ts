const MASK = '[redacted]'
const DEPTH_MAX = 32

/**
 * A copy of `value` in which every field with one of these names is masked, at any depth and in
 * arrays too. Names are compared without case, `_` and `-`, so that `phone` covers `Phone`, and
 * `credit_card` covers `creditCard`. What lies deeper than the limit is masked whole: what was
 * not looked at must not be shown.
 */
export function redactFields(value: unknown, names: readonly string[]): unknown {
  return walk(value, fieldMatcher(names), 0)
}

export type FieldMatcher = (name: string) => boolean

export function fieldMatcher(names: readonly string[]): FieldMatcher {
  const wanted = new Set(names.map(canonical))
  return (name) => wanted.size > 0 && wanted.has(canonical(name))
}

export function redactWith(value: unknown, matches: FieldMatcher): unknown {
  return walk(value, matches, 0)
}

function walk(value: unknown, matches: FieldMatcher, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) return MASK
  if (Array.isArray(value)) return value.map((item) => walk(item, matches, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    copy[name] = matches(name) && field !== null ? MASK : walk(field, matches, depth + 1)
  }
  return copy
}

// The same few field names come again and again, so the folded form is remembered, bounded.
const folded = new Map<string, string>()

function canonical(name: string): string {
  const known = folded.get(name)
  if (known !== undefined) return known
  const form = name.toLowerCase().replaceAll(/[_\-\s]/g, '')
  if (folded.size < 10_000 && name.length <= 64) folded.set(name, form)
  return form
}
