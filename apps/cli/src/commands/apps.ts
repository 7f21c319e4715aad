import type { App, AppSummary } from '@merlon/client'
import { plans, type Plan } from '@merlon/base'
import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { formatFacts, formatTable } from '../output/table.ts'

const yes = { kind: 'flag', summary: 'do not ask' } as const
const repo = { kind: 'text', value: 'owner/repo', summary: 'the GitHub repository' } as const

export const appsList = defineCommand({
  name: 'apps list',
  summary: 'List the apps of the account',
  arguments: [],
  options: {},
  run: async ({ client, out }) => {
    const apps = await client().apps.listApps()
    out.result(apps, () => (apps.length === 0 ? 'No app yet.' : appsTable(apps)))
    return exitCode.ok
  },
})

export const appsGet = defineCommand({
  name: 'apps get',
  summary: 'Show one app',
  arguments: ['id'],
  options: {},
  run: async ({ client, out }, { arguments: { id } }) => {
    const app = await client().apps.getApp({ params: { id } })
    out.result(app, () => appFacts(app))
    return exitCode.ok
  },
})

export const appsCreate = defineCommand({
  name: 'apps create',
  summary: 'Connect an app; its key is in the answer',
  arguments: ['name'],
  options: { repo },
  run: async ({ client, out }, { arguments: { name }, options }) => {
    const githubRepo = options.repo === undefined ? {} : { githubRepo: options.repo }
    const app = await client().apps.createApp({ body: { name, ...githubRepo } })
    out.result(app, () => appFacts(app))
    return exitCode.ok
  },
})

export const appsUpdate = defineCommand({
  name: 'apps update',
  summary: 'Rename an app or connect its repository',
  arguments: ['id'],
  options: {
    name: { kind: 'text', value: 'name', summary: 'the new name' },
    repo,
    'clear-repo': { kind: 'flag', summary: 'disconnect the repository' },
  },
  run: async ({ client, out }, { arguments: { id }, options }) => {
    const isCleared = options['clear-repo']
    if (isCleared && options.repo !== undefined) {
      throw new UsageError('--repo and --clear-repo say the opposite of each other.')
    }
    const body = {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.repo === undefined ? {} : { githubRepo: options.repo }),
      ...(isCleared ? { githubRepo: null, githubInstallationId: null } : {}),
    }
    if (Object.keys(body).length === 0) {
      throw new UsageError('Nothing to change: give --name, --repo or --clear-repo.')
    }
    const app = await client().apps.updateApp({ params: { id }, body })
    out.result(app, () => appFacts(app))
    return exitCode.ok
  },
})

export const appsDelete = defineCommand({
  name: 'apps delete',
  summary: 'Delete an app and everything that belongs to it',
  arguments: ['id'],
  options: { yes },
  run: async (context, { arguments: { id }, options }) => {
    await confirm(context, `App ${id} and everything of it will be deleted.`, options.yes)
    const deleted = await context.client().apps.deleteApp({ params: { id } })
    context.out.result(deleted, () => `Deleted ${id}.`)
    return exitCode.ok
  },
})

export const appsRotateKey = defineCommand({
  name: 'apps rotate-key',
  summary: 'Give the app a new key; the old one works on for a grace period',
  arguments: ['id'],
  options: {
    'grace-hours': { kind: 'number', value: 'hours', summary: 'how long (0 to 720, default 24)' },
    yes,
  },
  run: async (context, { arguments: { id }, options }) => {
    const graceHours = options['grace-hours']
    if (graceHours === 0) {
      await confirm(context, `The old key of ${id} stops working at once.`, options.yes)
    }
    const query = graceHours === undefined ? {} : { graceHours }
    const rotated = await context.client().apps.rotateAppKey({ params: { id }, query })
    context.out.result(rotated, () =>
      formatFacts({ 'New key': rotated.apiKey, 'Old key ends': rotated.oldKeyExpiresAt }),
    )
    return exitCode.ok
  },
})

export const appsPlan = defineCommand({
  name: 'apps plan',
  summary: `Set the plan of an app: ${plans.join(', ')} (operator)`,
  arguments: ['id', 'plan'],
  options: {},
  run: async ({ client, out }, { arguments: { id, plan } }) => {
    if (!isPlan(plan)) {
      throw new UsageError(`"${plan}" is no plan; the plans are ${plans.join(', ')}.`)
    }
    const app = await client().apps.setAppPlan({ params: { id }, body: { plan } })
    out.result(app, () => appFacts(app))
    return exitCode.ok
  },
})

function appsTable(apps: readonly AppSummary[]): string {
  return formatTable(
    ['id', 'name', 'plan', 'score', 'status', 'repository'],
    apps.map((app) => [
      app.id,
      app.name,
      app.plan,
      String(app.securityScore),
      app.status,
      app.githubRepo ?? '-',
    ]),
  )
}

function appFacts(app: App): string {
  return formatFacts({
    Id: app.id,
    Name: app.name,
    Plan: app.plan,
    Status: app.status,
    Score: String(app.securityScore),
    Key: app.apiKey,
    Repository: app.githubRepo ?? '-',
    Created: app.createdAt,
    Updated: app.updatedAt,
  })
}

function isPlan(text: string): text is Plan {
  return plans.some((plan) => plan === text)
}
