/** Lowest first: a plan includes everything of the plans before it. */
export const plans = ['free', 'pro', 'team', 'enterprise'] as const
export type Plan = (typeof plans)[number]

export function planIncludes(plan: Plan, needed: Plan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(needed)
}

export function plansFrom(needed: Plan): readonly Plan[] {
  return plans.slice(plans.indexOf(needed))
}
