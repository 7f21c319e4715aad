import type { WebhookDelivery } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { formatFacts, formatTable } from '../output/table.ts'
import { cursor, limit } from './shared-options.ts'

const statuses = ['pending', 'delivered', 'failed'] as const

export const webhooksTest = defineCommand({
  name: 'webhooks test',
  summary: 'Send a test event now',
  details: '`merlon webhooks deliveries` tells how it went.',
  arguments: ['id'],
  options: {},
  run: async ({ client, out }, { arguments: { id } }) => {
    const delivery = await client().webhooks.testWebhook({ params: { id } })
    out.result(delivery, () => facts(delivery))
    return exitCode.ok
  },
})

export const webhooksDeliveries = defineCommand({
  name: 'webhooks deliveries',
  summary: 'What a webhook sent and what came back, newest first',
  examples: ['webhooks deliveries wh_01J… --status failed'],
  arguments: ['id'],
  options: {
    status: { kind: 'choice', value: 'status', choices: statuses, summary: 'only these' },
    limit,
    cursor,
  },
  run: async ({ client, out }, { arguments: { id }, options }) => {
    const { data, meta } = await client().raw.webhooks.listDeliveries({
      params: { id },
      query: {
        ...(options.status === undefined ? {} : { status: options.status }),
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
      },
    })
    out.result({ deliveries: data, nextCursor: meta.nextCursor }, () =>
      data.length === 0 ? 'No delivery.' : table(data),
    )
    if (meta.nextCursor !== null && !out.json) {
      out.say(`There is more: merlon webhooks deliveries ${id} --cursor ${meta.nextCursor}`)
    }
    return exitCode.ok
  },
})

export const webhooksReplay = defineCommand({
  name: 'webhooks replay',
  summary: 'Send a delivery again',
  arguments: ['id', 'delivery'],
  options: {},
  run: async ({ client, out }, { arguments: { id, delivery } }) => {
    const params = { id, deliveryId: delivery }
    const replayed = await client().webhooks.replayDelivery({ params })
    out.result(replayed, () => facts(replayed))
    return exitCode.ok
  },
})

function table(deliveries: readonly WebhookDelivery[]): string {
  return formatTable(
    ['id', 'created', 'status', 'tries', 'answer', 'events', 'error'],
    deliveries.map((delivery) => [
      delivery.id,
      delivery.createdAt,
      delivery.status,
      String(delivery.attempts),
      String(delivery.responseStatus ?? '-'),
      String(delivery.eventIds.length),
      delivery.error ?? '-',
    ]),
  )
}

function facts(delivery: WebhookDelivery): string {
  return formatFacts({
    Id: delivery.id,
    Status: delivery.status,
    Tries: String(delivery.attempts),
    Created: delivery.createdAt,
  })
}
