import { describe, expect, it } from 'vitest'
import { planIncludes, plansFrom } from './plan.ts'

describe('plans', () => {
  it('include the plans below them and not those above', () => {
    expect(planIncludes('team', 'pro')).toBe(true)
    expect(planIncludes('pro', 'pro')).toBe(true)
    expect(planIncludes('pro', 'team')).toBe(false)
  })

  it('name every plan that would do', () => {
    expect(plansFrom('team')).toEqual(['team', 'enterprise'])
  })
})
