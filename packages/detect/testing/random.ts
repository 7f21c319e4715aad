/** A seeded source of chance, so that every run of a simulation is the same run. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  below(limit: number): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  normal(): number
  poisson(mean: number): number
  /** Counts that scatter more than Poisson: variance = mean + mean² / size. */
  negativeBinomial(mean: number, size: number): number
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const normal = () => {
    const radius = Math.sqrt(-2 * Math.log(1 - next()))
    return radius * Math.cos(2 * Math.PI * next())
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const poisson = (mean: number) => {
    if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
    const floor = Math.exp(-mean)
    let count = 0
    for (let product = next(); product > floor; product *= next()) count += 1
    return count
  }
  return {
    next,
    below,
    normal,
    poisson,
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
    negativeBinomial: (mean, size) => poisson((mean / size) * gamma(size, next, normal)),
  }
}

/** Marsaglia and Tsang's method, for shapes of at least one. */
function gamma(shape: number, next: () => number, normal: () => number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal()
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}
