/** Chance that can be repeated: the same seed gives the same run. */
export interface Random {
  /** From 0 up to, and without, `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T
}

/** A 32-bit xorshift with a multiplicative finish: plenty for choosing test values, useless for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0 || 1
  const next = (): number => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.imul(state, 0x9e3779b1) >>> 0
  }
  const int = (below: number): number => Math.floor((next() / 2 ** 32) * below)
  return {
    int,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick<T>(from: readonly T[]): T {
      const item = from[int(from.length)]
      if (item === undefined) throw new RangeError('There is nothing to pick from')
      return item
    },
  }
}
