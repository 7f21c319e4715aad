import { severities } from '@merlon/base'
import { endpoints, type Analytics } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { readCounts, type CountRow } from './analytics.repo.ts'
import type { Dimension } from './counts.ts'
import { OTHER_KEY } from './fold.repo.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const TOP = 10

/** Points are aligned to UTC hours or days; the last one is the current, still growing. */
const windows = {
  '24h': { unit: 'hour', points: 24, stepMs: HOUR_MS },
  '7d': { unit: 'day', points: 7, stepMs: DAY_MS },
  '30d': { unit: 'day', points: 30, stepMs: DAY_MS },
} as const

export const analytics = implement(
  endpoints.events.analytics,
  async ({ app, query, db, clock }) => {
    const window = query.window ?? '24h'
    const { unit, points, stepMs } = windows[window]
    const end = (Math.floor(clock.now() / stepMs) + 1) * stepMs
    const from = end - points * stepMs
    const counts = await readCounts(db, {
      appId: app.id,
      unit,
      from: new Date(from),
      to: new Date(end),
    })
    const starts = Array.from({ length: points }, (_, i) => from + i * stepMs)
    return summarize(window, counts, starts)
  },
)

function summarize(
  window: Analytics['window'],
  counts: readonly CountRow[],
  starts: readonly number[],
): Analytics {
  const at = new Map<string, number>()
  for (const { bucket, dimension, n } of counts) {
    if (bucket !== null) at.set(`${dimension} ${bucket.getTime()}`, n)
  }
  const point = (dimension: Dimension, start: number): number =>
    at.get(`${dimension} ${start}`) ?? 0
  const trend = starts.map((start) => ({
    label: new Date(start).toISOString(),
    total: point('total', start),
    blocked: point('blocked', start),
    critical: point('critical', start),
  }))
  const ranking = (dimension: Dimension) =>
    counts
      .filter((row) => row.dimension === dimension)
      .toSorted((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1))
  const bySeverity = new Map(ranking('severity').map((row) => [row.key, row.n]))
  return {
    window,
    totalEvents: trend.reduce((sum, one) => sum + one.total, 0),
    trend,
    moduleBreakdown: ranking('module').map(({ key, n }) => ({ module: key, count: n })),
    attackTypes: named(ranking('attack')).map(({ key, n }) => ({ type: key, count: n })),
    severityBreakdown: severities
      .filter((severity) => bySeverity.has(severity))
      .map((severity) => ({ severity, count: bySeverity.get(severity) ?? 0 })),
    topCountries: named(ranking('country')).map(({ key, n }) => ({ country: key, count: n })),
  }
}

/** The top list names things; what was thrown together has no name. */
function named(rows: readonly CountRow[]): readonly CountRow[] {
  return rows.filter((row) => row.key !== OTHER_KEY).slice(0, TOP)
}
