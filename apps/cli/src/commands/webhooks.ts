import type { Webhook } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { formatFacts, formatTable } from '../output/table.ts'
import { app, yes } from './shared-options.ts'

const event = {
  kind: 'texts',
  value: 'type',
  summary: 'send events of this type; * stands for any text',
} as const
const description = { kind: 'text', value: 'text', summary: 'what it is for' } as const

export const webhooksList = defineCommand({
  name: 'webhooks list',
  summary: 'List the webhooks of an app',
  arguments: [],
  options: { app },
  run: async ({ client, out }, { options }) => {
    const webhooks = await client().webhooks.listWebhooks({ query: { appId: options.app } })
    out.result(webhooks, () => (webhooks.length === 0 ? 'No webhook yet.' : table(webhooks)))
    return exitCode.ok
  },
})

export const webhooksCreate = defineCommand({
  name: 'webhooks create',
  summary: 'Send events of an app to an address; the signing secret is shown this once',
  details:
    'Without --event it gets every event. Without --secret-stdin the server makes the secret;\n' +
    'no option takes it, because other users of a machine can read command lines.',
  examples: [
    `webhooks create https://example.com/hook --app app_01J… --event 'auth.*' --event '*.blocked'`,
  ],
  arguments: ['address'],
  options: {
    app,
    event,
    description,
    'secret-stdin': { kind: 'flag', summary: 'read the signing secret from stdin' },
  },
  run: async ({ client, host, out }, { arguments: { address }, options }) => {
    const secret = options['secret-stdin'] ? (await host.readStdin()).trim() : undefined
    if (secret === '') throw new UsageError('No secret came in on stdin.')
    const webhook = await client().webhooks.createWebhook({
      body: {
        appId: options.app,
        url: address,
        ...(options.event.length === 0 ? {} : { events: [...options.event] }),
        ...(options.description === undefined ? {} : { description: options.description }),
        ...(secret === undefined ? {} : { secret }),
      },
    })
    out.say('The secret is not shown again; keep it now.')
    out.result(webhook, () => `${facts(webhook)}\n${formatFacts({ Secret: webhook.secret })}`)
    return exitCode.ok
  },
})

export const webhooksUpdate = defineCommand({
  name: 'webhooks update',
  summary: 'Change a webhook, or switch it off and on',
  examples: ['webhooks update wh_01J… --disable', `webhooks update whk_01J… --event 'auth.*'`],
  arguments: ['id'],
  options: {
    address: { kind: 'text', value: 'url', summary: 'where to send to' },
    event: { ...event, summary: 'send these types instead of those before; * is any text' },
    description,
    'clear-description': { kind: 'flag', summary: 'take the description away' },
    enable: { kind: 'flag', summary: 'switch it on' },
    disable: { kind: 'flag', summary: 'switch it off' },
  },
  run: async ({ client, out }, { arguments: { id }, options }) => {
    if (options.enable && options.disable) {
      throw new UsageError('--enable and --disable say the opposite of each other.')
    }
    if (options['clear-description'] && options.description !== undefined) {
      throw new UsageError('--description and --clear-description say the opposite of each other.')
    }
    const body = {
      ...(options.address === undefined ? {} : { url: options.address }),
      ...(options.event.length === 0 ? {} : { events: [...options.event] }),
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options['clear-description'] ? { description: null } : {}),
      ...(options.enable || options.disable ? { enabled: options.enable } : {}),
    }
    if (Object.keys(body).length === 0) {
      throw new UsageError(
        'Nothing to change: give --address, --event, --enable or another option.',
      )
    }
    const webhook = await client().webhooks.updateWebhook({ params: { id }, body })
    out.result(webhook, () => facts(webhook))
    return exitCode.ok
  },
})

export const webhooksDelete = defineCommand({
  name: 'webhooks delete',
  summary: 'Remove a webhook and the list of what it sent',
  arguments: ['id'],
  options: { yes },
  run: async (context, { arguments: { id }, options }) => {
    await confirm(context, `The webhook ${id} and its deliveries will be removed.`, options.yes)
    const deleted = await context.client().webhooks.deleteWebhook({ params: { id } })
    context.out.result(deleted, () => `Removed ${id}.`)
    return exitCode.ok
  },
})

function table(webhooks: readonly Webhook[]): string {
  return formatTable(
    ['id', 'enabled', 'failures', 'last success', 'events', 'address'],
    webhooks.map((webhook) => [
      webhook.id,
      webhook.enabled ? 'yes' : 'no',
      String(webhook.consecutiveFailures),
      webhook.lastSuccessAt ?? 'never',
      webhook.events.join(' '),
      webhook.url,
    ]),
  )
}

function facts(webhook: Webhook): string {
  return formatFacts({
    Id: webhook.id,
    App: webhook.appId,
    Address: webhook.url,
    Events: webhook.events.join(' '),
    Enabled: webhook.enabled ? 'yes' : 'no',
    Description: webhook.description ?? '-',
    Failures: `${webhook.consecutiveFailures} in a row`,
    Created: webhook.createdAt,
  })
}
