import { describe, expect, it } from 'vitest'
import { compare, median, timesPerSecond } from './compare.ts'

/** Answers one figure after the other and notes on `turns` that it was asked. */
function sideThatAnswers(name: string, figures: readonly number[], turns: string[]) {
  let at = 0
  return () => {
    turns.push(name)
    at += 1
    return figures[at - 1] ?? Number.NaN
  }
}

describe('compare', () => {
  it('takes the median of the ratios, not the ratio of the medians', async () => {
    const turns: string[] = []
    const own = sideThatAnswers('own', [1, 10, 300], turns)
    const peer = sideThatAnswers('peer', [2, 10, 100], turns)
    const result = await compare({ own, peer, rounds: 3, warmups: 0 })
    expect(result).toEqual({ ratio: 1, own: 10, peer: 10, rounds: 3 })
  })

  it('lets the sides take turns at going first', async () => {
    const turns: string[] = []
    const own = sideThatAnswers('own', [1, 1], turns)
    const peer = sideThatAnswers('peer', [1, 1], turns)
    await compare({ own, peer, rounds: 2, warmups: 0 })
    expect(turns).toEqual(['own', 'peer', 'peer', 'own'])
  })

  it('throws the warm-up rounds away', async () => {
    const own = sideThatAnswers('own', [1000, 2], [])
    const peer = sideThatAnswers('peer', [1, 1], [])
    const result = await compare({ own, peer, rounds: 1, warmups: 1 })
    expect(result.ratio).toBe(2)
  })

  it.each([0, -1, Number.NaN, Infinity])('refuses the figure %d', async (figure) => {
    const result = compare({ own: () => figure, peer: () => 1, rounds: 1 })
    await expect(result).rejects.toThrow('must be positive')
  })
})

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
  ])('of %j is %d', (figures, expected) => {
    expect(median(figures)).toBe(expected)
  })
})

describe('timesPerSecond', () => {
  it('waits for work that is asynchronous', async () => {
    let done = 0
    const perSecond = await timesPerSecond(
      async () => {
        await Promise.resolve()
        done += 1
      },
      { leastMs: 1, batch: 10 },
    )
    expect(done % 10).toBe(0)
    expect(perSecond).toBeGreaterThan(0)
  })
})
