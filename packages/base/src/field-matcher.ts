export type FieldMatcher = (name: string) => boolean

/**
 * Tells which field names are meant. They are compared without case, `_` and `-`, so that `phone`
 * covers `Phone`, and `credit_card` covers `creditCard`.
 */
export function fieldMatcher(names: readonly string[]): FieldMatcher {
  const wanted = new Set(names.map(canonical))
  return (name) => wanted.size > 0 && wanted.has(canonical(name))
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
