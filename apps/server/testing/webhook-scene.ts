import type { EventInput, Webhook, WebhookDelivery } from '@merlon/contract'
import { afterEach, beforeEach, expect } from 'vitest'
import { readStoreMark } from '../src/modules/webhooks/dispatch.repo.ts'
import { harness } from './harness.ts'
import { startReceiver, type Receiver } from './receiver.ts'

/** A server, somebody's receiver, and an account with one app for the tests of one file. */
export function webhookScene(env: Readonly<Record<string, string>> = {}) {
  const house = harness(env)
  const { call, newAccount, newApp } = house
  let receiver: Receiver
  let key: string
  let app: { id: string; apiKey: string }

  // A new one for each test: what an earlier test left behind finds nobody at its address.
  beforeEach(async () => {
    key = (await newAccount()).key
    app = await newApp(key)
    receiver = await startReceiver()
  })
  afterEach(async () => receiver?.close())

  const create = async (body: object = {}) =>
    call<Webhook & { secret: string }>('POST', '/api/webhooks', {
      as: key,
      body: { appId: app.id, url: receiver.url, ...body },
    })

  return {
    ...house,
    key: () => key,
    appId: () => app.id,
    receiver: () => receiver,
    create,
    newWebhook: async (body: object = {}) => {
      const reply = await create(body)
      expect(reply.error).toBe('')
      return reply.data
    },
    get: async (id: string): Promise<Webhook> => {
      const { data } = await call<Webhook[]>('GET', `/api/webhooks?appId=${app.id}`, { as: key })
      const found = data.find((webhook) => webhook.id === id)
      if (found === undefined) throw new Error(`There is no ${id}`)
      return found
    },
    patch: (id: string, body: object, as = key) =>
      call<Webhook>('PATCH', `/api/webhooks/${id}`, { as, body }),
    /** Stores one event for each type, as the SDK would. */
    ingest: async (...types: string[]) => {
      const events: EventInput[] = types.map((type) => ({
        type,
        module: 'auth',
        severity: 'HIGH',
        title: `Something: ${type}`,
        payload: { tries: 3 },
      }))
      const reply = await call('POST', '/api/events/ingest', { appKey: app.apiKey, body: events })
      expect(reply.status).toBe(201)
    },
    deliveries: async (id: string, search = ''): Promise<WebhookDelivery[]> =>
      (await call<WebhookDelivery[]>('GET', `/api/webhooks/${id}/deliveries${search}`, { as: key }))
        .data,
    /** Until what was stored can be read: other files' transactions on this server hold it up for a moment. */
    readable: async () => {
      const { nextXid } = await readStoreMark(house.db(), '0')
      await expect
        .poll(async () => (await readStoreMark(house.db(), nextXid)).ended, { timeout: 10_000 })
        .toBe(true)
    },
    /** Until everything that is due was sent. */
    settled: async () => house.app().webhooks.settle(),
  }
}
