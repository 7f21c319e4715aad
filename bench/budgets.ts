/** The bounds of a ratio; a bench without any only reports. */
export interface Budget {
  readonly ratioMin?: number
  readonly ratioMax?: number
}

/** From the name of a bench and the line it measures, such as `apps-get: GET /api/apps/:id`. */
export type Budgets = Readonly<Record<string, Budget>>

export function budgetOf(budgets: Budgets, bench: string, what: string): Budget | undefined {
  return budgets[`${bench}: ${what}`] ?? budgets[bench]
}

/** What is wrong with a ratio, or undefined when it keeps its budget. */
export function overBudget(budget: Budget | undefined, ratio: number): string | undefined {
  if (budget?.ratioMin !== undefined && !(ratio >= budget.ratioMin)) {
    return `below ${budget.ratioMin}`
  }
  if (budget?.ratioMax !== undefined && !(ratio <= budget.ratioMax)) {
    return `above ${budget.ratioMax}`
  }
  return undefined
}

export function describeBudget(budget: Budget | undefined): string {
  const parts = [
    budget?.ratioMin === undefined ? '' : `>= ${budget.ratioMin}`,
    budget?.ratioMax === undefined ? '' : `<= ${budget.ratioMax}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}
