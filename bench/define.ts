import type { Comparison } from './compare.ts'

export interface BenchContext {
  /** Fewer rounds and smaller inputs: shows that the bench works, not what it measures. */
  readonly quick: boolean
  /** Where a published suite or corpus lies, for benches that can use one. */
  readonly suite?: string
  readonly log: (line: string) => void
}

/** One line of the table: our figure against a peer's, taken in the same run on the same machine. */
export interface BenchResult extends Comparison {
  readonly what: string
  /** Such as `req/s` or `ms`; for times the ratio says how many times the peer's time ours is. */
  readonly unit: string
}

export interface Bench {
  readonly name: string
  readonly summary: string
  run(context: BenchContext): Promise<readonly BenchResult[]>
}

export function defineBench(bench: Bench): Bench {
  return bench
}
