import type { Module } from '../../module.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listWebhooks } from './list-webhooks.ts'
import { deleteLog, pruneDeliveries, pruneDeliveriesHourly } from './prune-deliveries.job.ts'
import { replayDelivery } from './replay-delivery.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'

/** The job that sends is not in this list: it has a worker of its own, see runtime.ts. */
export const webhooks: Module = {
  name: 'webhooks',
  endpoints: [
    createWebhook,
    deleteWebhook,
    listDeliveries,
    listWebhooks,
    replayDelivery,
    testWebhook,
    updateWebhook,
  ],
  jobs: () => [deleteLog, pruneDeliveries],
  schedules: [pruneDeliveriesHourly],
}

export { startWebhooks, type WebhooksRuntime } from './runtime.ts'
