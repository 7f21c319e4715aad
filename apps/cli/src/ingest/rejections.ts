import type { Rejection } from './batches.ts'

/** A wrong file can hold millions of them; more than this nobody reads. */
const LISTED_MAX = 1000

/** What was rejected: all of it counted, the first ones kept to be shown. */
export function createRejections() {
  const kept: Rejection[] = []
  let count = 0
  // The server's refusals come batch by batch, our own at once.
  const listed = () => kept.toSorted((a, b) => a.line - b.line)
  return {
    listed,
    add: (rejection: Rejection) => {
      count++
      if (kept.length < LISTED_MAX) kept.push(rejection)
    },
    get count() {
      return count
    },
    /** For people: neighbours that fail for the same reason stand on one line. */
    sentences(): readonly string[] {
      const groups: { first: number; last: number; error: string }[] = []
      for (const { line, error } of listed()) {
        const group = groups.at(-1)
        if (group?.error === error) group.last = line
        else groups.push({ first: line, last: line, error })
      }
      const sentences = groups.map(({ first, last, error }) =>
        first === last ? `line ${first}: ${error}` : `lines ${first} to ${last}: ${error}`,
      )
      const unlisted = count - kept.length
      return unlisted === 0 ? sentences : [...sentences, `and ${unlisted} more.`]
    },
  }
}
