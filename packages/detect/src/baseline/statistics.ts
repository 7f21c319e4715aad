export interface Sample {
  readonly value: number
  readonly weight: number
}

export interface Spread {
  readonly median: number
  /** Median absolute deviation, scaled so that it equals the standard deviation of a normal one. */
  readonly mad: number
  readonly count: number
}

const normalScale = 1.4826

export function weightedMedian(samples: readonly Sample[]): number {
  const sorted = samples.toSorted((a, b) => a.value - b.value)
  const half = sorted.reduce((sum, sample) => sum + sample.weight, 0) / 2
  let passed = 0
  for (const sample of sorted) {
    passed += sample.weight
    if (passed >= half) return sample.value
  }
  return sorted.at(-1)?.value ?? 0
}

export function spreadOf(samples: readonly Sample[]): Spread {
  const median = weightedMedian(samples)
  const deviations = samples.map(({ value, weight }) => ({
    value: Math.abs(value - median),
    weight,
  }))
  return { median, mad: normalScale * weightedMedian(deviations), count: samples.length }
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
  return Math.round(value * factor) / factor
}
