/** Samples that count alike, for example those of one week. */
export interface SampleGroup {
  readonly values: readonly number[]
  readonly weight: number
}

export interface Spread {
  readonly median: number
  /** Median absolute deviation, scaled so that it equals the standard deviation of a normal one. */
  readonly mad: number
  readonly count: number
}

const normalScale = 1.4826

export function weightedMedian(groups: readonly SampleGroup[]): number {
  return medianOfSorted(
    groups.map(({ values, weight }) => ({ sorted: new Float64Array(values).sort(), weight })),
  )
}

export function spreadOf(groups: readonly SampleGroup[]): Spread {
  const median = weightedMedian(groups)
  const deviations = groups.map(({ values, weight }) => ({
    sorted: new Float64Array(values.map((value) => Math.abs(value - median))).sort(),
    weight,
  }))
  const count = groups.reduce((sum, { values }) => sum + values.length, 0)
  return { median, mad: normalScale * medianOfSorted(deviations), count }
}

interface SortedGroup {
  readonly sorted: Float64Array
  readonly weight: number
}

/** Walks up all groups at once until half of the weight is passed. */
function medianOfSorted(groups: readonly SortedGroup[]): number {
  const half = groups.reduce((sum, { sorted, weight }) => sum + sorted.length * weight, 0) / 2
  const positions = groups.map(() => 0)
  let passed = 0
  for (;;) {
    let lowest = -1
    let value = Number.POSITIVE_INFINITY
    for (const [index, { sorted }] of groups.entries()) {
      const head = sorted[positions[index] ?? 0]
      if (head !== undefined && head < value) {
        lowest = index
        value = head
      }
    }
    if (lowest === -1) return 0
    passed += groups[lowest]?.weight ?? 0
    if (passed >= half) return value
    positions[lowest] = (positions[lowest] ?? 0) + 1
  }
}

/** The smallest count that a Poisson variable with this mean exceeds with at most this probability. */
export function poissonUpper(mean: number, probability: number): number {
  if (mean <= 0) return 0
  // Beyond this the normal curve is as good, and the sum below would take long.
  if (mean > 500) return Math.ceil(mean + 4.5 * Math.sqrt(mean))
  let term = Math.exp(-mean)
  let below = term
  let count = 0
  while (1 - below > probability && count < 2000) {
    count += 1
    term *= mean / count
    below += term
  }
  return count
}

export function round(value: number, digits: number): number {
  const factor = 10 ** digits
  // Adding zero turns -0 into 0, which is what JSON makes of it anyway.
  return Math.round(value * factor) / factor + 0
}
