export interface Comparison {
  /** Median over the rounds of own / peer. */
  readonly ratio: number
  readonly own: number
  readonly peer: number
  readonly rounds: number
}

export interface Sides {
  /** One measurement of ours, as a figure such as requests per second. */
  readonly own: () => number | Promise<number>
  /** The same measurement of what we compare with. */
  readonly peer: () => number | Promise<number>
  readonly rounds: number
  /** Rounds that are run and thrown away: the first ones measure the compiler. */
  readonly warmups?: number
}

/**
 * Measures two sides in turns and answers the median of the ratios. A machine that grows slow
 * halfway slows both sides of a round alike, so a ratio holds where single figures would not. Every
 * second round starts with the other side, because going first can be an advantage.
 */
export async function compare({ own, peer, rounds, warmups = 1 }: Sides): Promise<Comparison> {
  if (rounds < 1) throw new RangeError('A comparison needs at least one round')
  const pairs: { readonly own: number; readonly peer: number }[] = []
  for (let round = -warmups; round < rounds; round += 1) {
    const ownFirst = round % 2 === 0
    const first = await (ownFirst ? own : peer)()
    const second = await (ownFirst ? peer : own)()
    const pair = ownFirst ? { own: first, peer: second } : { own: second, peer: first }
    if (!isPositive(pair.own) || !isPositive(pair.peer)) {
      throw new RangeError(`A figure must be positive: own ${pair.own}, peer ${pair.peer}`)
    }
    if (round >= 0) pairs.push(pair)
  }
  return {
    ratio: median(pairs.map((pair) => pair.own / pair.peer)),
    own: median(pairs.map((pair) => pair.own)),
    peer: median(pairs.map((pair) => pair.peer)),
    rounds,
  }
}

function isPositive(figure: number): boolean {
  return Number.isFinite(figure) && figure > 0
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]
  if (upper === undefined) throw new RangeError('There is no median of nothing')
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** How often `work` runs in a second, measured over at least `leastMs`. */
export async function timesPerSecond(
  work: () => unknown,
  { leastMs, batch = 1 }: { readonly leastMs: number; readonly batch?: number },
): Promise<number> {
  const start = performance.now()
  let runs = 0
  let elapsedMs = 0
  do {
    for (let index = 0; index < batch; index += 1) {
      const result = work()
      if (result instanceof Promise) await result
    }
    runs += batch
    elapsedMs = performance.now() - start
  } while (elapsedMs < leastMs)
  return (runs / elapsedMs) * 1000
}
