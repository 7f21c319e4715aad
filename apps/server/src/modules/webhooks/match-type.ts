/** Whether a type fits one of the patterns, in which * stands for any text, also for none. */
export function matchesAny(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => matches(pattern, type))
}

/**
 * Goes through both texts once and returns only to the last star. A regular expression made of
 * the same pattern could be made to take hours by whoever writes the pattern.
 */
function matches(pattern: string, type: string): boolean {
  let at = 0
  let inPattern = 0
  let star = -1
  let resume = 0
  while (at < type.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++
      resume = at
    } else if (pattern[inPattern] === type[at]) {
      inPattern++
      at++
    } else if (star >= 0) {
      inPattern = star + 1
      at = ++resume
    } else {
      return false
    }
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}
