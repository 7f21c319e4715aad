import type { Analytics } from '@merlon/contract'
import type { Db } from '../src/db/database.ts'

const HOUR = 3_600_000
const DAY = 86_400_000

export interface Recount {
  readonly total: number
  readonly hours: Analytics['trend']
  readonly days: Analytics['trend']
  readonly modules: Analytics['moduleBreakdown']
}

/** Counts the stored events themselves, one by one: what the rollups must come to. */
export async function recount(db: Db, appId: string, now: number): Promise<Recount> {
  const rows = await db
    .selectFrom('events')
    .select(['ts', 'type', 'severity', 'module'])
    .where('app_id', '=', appId)
    .execute()
  const trend = (points: number, step: number): Analytics['trend'] => {
    const last = Math.floor(now / step) * step
    return Array.from({ length: points }, (_, index) => {
      const start = last - (points - 1 - index) * step
      const within = rows.filter(({ ts }) => ts.getTime() >= start && ts.getTime() < start + step)
      return {
        label: new Date(start).toISOString(),
        total: within.length,
        blocked: within.filter(({ type }) => type.endsWith('.blocked')).length,
        critical: within.filter(({ severity }) => severity === 'CRITICAL').length,
      }
    })
  }
  const days = trend(30, DAY)
  const modules = new Map<string, number>()
  for (const { module } of rows) modules.set(module, (modules.get(module) ?? 0) + 1)
  return {
    total: days.reduce((sum, { total }) => sum + total, 0),
    hours: trend(24, HOUR),
    days,
    modules: [...modules]
      .map(([module, count]) => ({ module, count }))
      .toSorted((a, b) => b.count - a.count),
  }
}
