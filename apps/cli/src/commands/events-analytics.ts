import type { Analytics } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { formatTable } from '../output/table.ts'
import { app } from './shared-options.ts'

const windows = ['24h', '7d', '30d'] as const

export const eventsAnalytics = defineCommand({
  name: 'events analytics',
  summary: 'Count the events of an app: over time, by severity, module, attack and country',
  examples: ['events analytics --app app_01J… --window 7d'],
  arguments: [],
  options: {
    app,
    window: { kind: 'choice', value: 'window', choices: windows, summary: 'the time (24h)' },
  },
  run: async ({ client, out }, { options }) => {
    const { window } = options
    const analytics = await client().events.analytics({
      query: { appId: options.app, ...(window === undefined ? {} : { window }) },
    })
    out.result(analytics, () => analyticsText(analytics))
    return exitCode.ok
  },
})

function analyticsText(analytics: Analytics): string {
  const { severityBreakdown, moduleBreakdown, attackTypes, topCountries } = analytics
  const trend = analytics.trend.map(({ label, total, blocked, critical }) => [
    label,
    ...[total, blocked, critical].map(String),
  ])
  return [
    `${counted(analytics.totalEvents, 'event')} in ${analytics.window}`,
    formatTable(['from', 'events', 'blocked', 'critical'], trend),
    ranking('severity', severityBreakdown, ({ severity }) => severity),
    ranking('module', moduleBreakdown, ({ module }) => module),
    ranking('attack', attackTypes, ({ type }) => type),
    ranking('country', topCountries, ({ country }) => country),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function ranking<T extends { readonly count: number }>(
  heading: string,
  rows: readonly T[],
  nameOf: (row: T) => string,
): string {
  if (rows.length === 0) return ''
  return formatTable(
    [heading, 'events'],
    rows.map((row) => [nameOf(row), String(row.count)]),
  )
}
