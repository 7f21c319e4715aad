import type { Baseline } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode } from '../exit-code.ts'
import { formatFacts } from '../output/table.ts'
import { yes } from './shared-options.ts'

export const baselineGet = defineCommand({
  name: 'baseline get',
  summary: 'Show what is known of the usual traffic of an app',
  details: 'The profile and the thresholds are in the output of --json.',
  arguments: ['app'],
  options: {},
  run: async ({ client, out }, { arguments: { app } }) => {
    const baseline = await client().baselines.baseline({ params: { id: app } })
    out.result(baseline, () => baselineFacts(baseline))
    return exitCode.ok
  },
})

export const baselineReset = defineCommand({
  name: 'baseline reset',
  summary: 'Forget what is usual for an app and learn it anew, which takes 7 days',
  arguments: ['app'],
  options: { yes },
  run: async (context, { arguments: { app }, options }) => {
    const question = `What was learned of ${app} is forgotten; for 7 days nothing is unusual.`
    await confirm(context, question, options.yes)
    const { baselines } = context.client()
    const baseline = await baselines.baseline({ params: { id: app }, body: { action: 'reset' } })
    context.out.result(baseline, () => baselineFacts(baseline))
    return exitCode.ok
  },
})

function baselineFacts(baseline: Baseline): string {
  return formatFacts({
    Status: baseline.status,
    Progress: `${Math.floor(baseline.progress * 100)} %`,
    Samples: String(baseline.samples),
    'Learning since': baseline.learningStartedAt ?? 'not begun',
    'Learning until': baseline.learningEndsAt ?? '-',
  })
}
