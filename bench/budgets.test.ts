import { describe, expect, it } from 'vitest'
import { budgetOf, overBudget } from './budgets.ts'

describe('overBudget', () => {
  it.each([
    [{ ratioMin: 0.6 }, 0.6, undefined],
    [{ ratioMin: 0.6 }, 0.59, 'below 0.6'],
    [{ ratioMax: 1.5 }, 1.5, undefined],
    [{ ratioMax: 1.5 }, 1.51, 'above 1.5'],
    [{ ratioMin: 0.6 }, Number.NaN, 'below 0.6'],
    [undefined, 0.01, undefined],
  ])('judges %j with the ratio %d', (budget, ratio, expected) => {
    expect(overBudget(budget, ratio)).toBe(expected)
  })
})

describe('budgetOf', () => {
  const budgets = { ingest: { ratioMin: 0.4 }, 'ingest: single': { ratioMin: 0.7 } }

  it('prefers the budget of the line over that of the bench', () => {
    expect(budgetOf(budgets, 'ingest', 'single')).toEqual({ ratioMin: 0.7 })
  })

  it('falls back to the budget of the bench', () => {
    expect(budgetOf(budgets, 'ingest', 'batch')).toEqual({ ratioMin: 0.4 })
  })
})
