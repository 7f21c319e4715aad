import { Type, type Static } from 'typebox'
import { accepted, created, data, endpoint, list } from './endpoint.ts'
import { AppId } from './resources.ts'
import {
  closed,
  CountMeta,
  CursorMeta,
  cursorQuery,
  idOf,
  isoDate,
  nullable,
  oneOf,
  text,
} from './shapes.ts'

const WebhookUrl = Type.String({ minLength: 8, maxLength: 2_000, pattern: '^https?://' })
const EventPatterns = Type.Array(
  Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_.:*-]+$' }),
  {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Event types; * stands for any text.',
  },
)

export const Webhook = closed({
  id: idOf('webhook'),
  appId: AppId,
  url: Type.String(),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  description: nullable(Type.String()),
  consecutiveFailures: Type.Integer(),
  lastSuccessAt: nullable(isoDate),
  createdAt: isoDate,
})
export type Webhook = Static<typeof Webhook>

export const WebhookDelivery = closed({
  id: idOf('delivery'),
  webhookId: idOf('webhook'),
  status: oneOf(['pending', 'delivered', 'failed']),
  attempts: Type.Integer(),
  eventIds: Type.Array(Type.String()),
  /** The delivery whose body this one carries again. */
  replayOf: nullable(idOf('delivery')),
  responseStatus: nullable(Type.Integer()),
  error: nullable(Type.String()),
  nextAttemptAt: nullable(isoDate),
  deliveredAt: nullable(isoDate),
  createdAt: isoDate,
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

const byId = closed({ id: idOf('webhook') })

export const webhooks = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List the webhooks of an app',
    auth: 'account',
    app: 'query.appId',
    query: Type.Object({ appId: AppId }),
    returns: list(Webhook, CountMeta),
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Send events of an app to an address; the signing secret is shown this once',
    description:
      'Each call is signed: header Merlon-Signature "t=<seconds>,v1=<hex>", where v1 is HMAC-SHA256 of "<seconds>.<body>" with the secret.',
    auth: 'account',
    app: 'body.appId',
    body: closed({
      appId: AppId,
      url: WebhookUrl,
      events: Type.Optional(EventPatterns),
      secret: Type.Optional(Type.String({ minLength: 16, maxLength: 200 })),
      description: Type.Optional(text(200)),
    }),
    returns: created(closed({ ...Webhook.properties, secret: Type.String() })),
    errors: [409],
    audit: 'webhook.create',
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/api/webhooks/:id',
    summary: 'Change a webhook, or switch it off and on',
    auth: 'account',
    params: byId,
    body: closed({
      url: Type.Optional(WebhookUrl),
      events: Type.Optional(EventPatterns),
      enabled: Type.Optional(Type.Boolean()),
      description: Type.Optional(nullable(text(200))),
    }),
    returns: data(Webhook),
    audit: 'webhook.update',
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    summary: 'Remove a webhook and its deliveries',
    auth: 'account',
    params: byId,
    returns: data(byId),
    audit: 'webhook.delete',
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    summary: 'Send a test event now',
    auth: 'account',
    params: byId,
    returns: accepted(WebhookDelivery),
    audit: 'webhook.test',
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    summary: 'What was sent and what came back, newest first',
    auth: 'account',
    params: byId,
    query: Type.Object({
      ...cursorQuery,
      status: Type.Optional(oneOf(['pending', 'delivered', 'failed'])),
    }),
    returns: list(WebhookDelivery, CursorMeta),
  }),
  replayDelivery: endpoint({
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:deliveryId/replay',
    summary: 'Send a delivery again',
    auth: 'account',
    params: closed({ id: idOf('webhook'), deliveryId: idOf('delivery') }),
    returns: accepted(WebhookDelivery),
    audit: 'webhook.replay',
  }),
} as const
