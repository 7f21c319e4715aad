import { severities } from '@merlon/base'
import { Type, type Static } from 'typebox'
import { created, data, endpoint, list, stream } from './endpoint.ts'
import { AppId } from './resources.ts'
import { closed, CursorMeta, idOf, isoDate, nullable, oneOf, text } from './shapes.ts'

export const eventLimits = {
  eventsPerRequest: 1_000,
  bodyBytes: 1024 * 1024,
  payloadBytes: 64 * 1024,
  payloadDepth: 8,
  aheadMs: 24 * 3_600_000,
} as const

const SeverityName = oneOf(severities)

/** Open, not closed: clients of every age send events, so a field we do not know is dropped. */
export const EventInput = Type.Object({
  type: text(100),
  module: text(50),
  severity: SeverityName,
  title: text(500),
  description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  ip: Type.Optional(nullable(Type.String({ maxLength: 45 }))),
  userId: Type.Optional(nullable(Type.String({ maxLength: 256 }))),
  payload: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
  timestamp: Type.Optional(nullable(isoDate)),
  id: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 128 }))),
})
export type EventInput = Static<typeof EventInput>

export const SecurityEvent = closed({
  id: idOf('event'),
  appId: AppId,
  type: Type.String(),
  module: Type.String(),
  severity: SeverityName,
  title: Type.String(),
  description: nullable(Type.String()),
  ip: nullable(Type.String()),
  userId: nullable(Type.String()),
  country: nullable(Type.String()),
  city: nullable(Type.String()),
  asn: nullable(Type.Integer()),
  payload: Type.Unknown(),
  timestamp: isoDate,
  receivedAt: isoDate,
})
export type SecurityEvent = Static<typeof SecurityEvent>

const Count = Type.Integer()

export const analyticsWindows = ['24h', '7d', '30d'] as const

export const Analytics = closed({
  window: oneOf(analyticsWindows),
  totalEvents: Count,
  trend: Type.Array(closed({ label: isoDate, total: Count, blocked: Count, critical: Count })),
  moduleBreakdown: Type.Array(closed({ module: Type.String(), count: Count })),
  attackTypes: Type.Array(closed({ type: Type.String(), count: Count })),
  severityBreakdown: Type.Array(closed({ severity: Type.String(), count: Count })),
  topCountries: Type.Array(closed({ country: Type.String(), count: Count })),
})
export type Analytics = Static<typeof Analytics>

const byApp = { appId: AppId }

export const events = {
  ingestEvents: endpoint({
    method: 'POST',
    path: '/api/events/ingest',
    summary: 'Take in one event or up to 1,000; answered once they are on disk',
    description:
      'Events that are not valid are listed in `rejected` and the rest is stored. `id` and the header Idempotency-Key make sending again safe. The body may be gzip-compressed and may come as text/plain.',
    auth: 'app',
    limit: 'ingest',
    mediaTypes: ['application/json', 'text/plain'],
    bodyBytesMax: eventLimits.bodyBytes,
    checkedByHandler: true,
    body: Type.Unsafe<unknown>({
      oneOf: [
        EventInput,
        { type: 'array', items: EventInput, minItems: 1, maxItems: eventLimits.eventsPerRequest },
      ],
    }),
    returns: created(
      closed({
        count: Count,
        rejected: Type.Optional(
          Type.Array(closed({ index: Type.Integer(), error: Type.String() })),
        ),
      }),
    ),
    errors: [409, 503],
    audit: false,
  }),
  searchEvents: endpoint({
    method: 'GET',
    path: '/api/events',
    summary: 'Search events, newest first',
    description:
      '`q` looks into title, description and payload. A search looks through a bounded number of events; `meta.nextCursor` goes on from there, also when a page is not full.',
    auth: 'account',
    app: 'query.appId',
    query: Type.Object({
      ...byApp,
      type: Type.Optional(text(100)),
      module: Type.Optional(text(50)),
      severity: Type.Optional(SeverityName),
      ip: Type.Optional(text(45)),
      userId: Type.Optional(text(256)),
      from: Type.Optional(isoDate),
      to: Type.Optional(isoDate),
      q: Type.Optional(text(200)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    }),
    returns: list(SecurityEvent, CursorMeta),
  }),
  analytics: endpoint({
    method: 'GET',
    path: '/api/events/analytics',
    summary: 'Counts of a window: trend, modules, attack types, severities, countries',
    auth: 'account',
    app: 'query.appId',
    query: Type.Object({
      ...byApp,
      window: Type.Optional(
        Type.Unsafe<(typeof analyticsWindows)[number]>({
          type: 'string',
          enum: [...analyticsWindows],
          default: '24h',
        }),
      ),
    }),
    returns: data(Analytics),
  }),
  createStreamToken: endpoint({
    method: 'POST',
    path: '/api/events/stream-token',
    summary: 'A token to open the live stream of an app within 60 seconds',
    auth: 'account',
    app: 'body.appId',
    body: closed(byApp),
    returns: created(closed({ token: Type.String(), expiresAt: isoDate })),
    audit: false,
  }),
  streamEvents: endpoint({
    method: 'GET',
    path: '/api/events/stream',
    summary: 'Live events as Server-Sent Events: connected, events, heartbeat',
    description: 'Last-Event-ID (or `lastEventId`) goes on without loss for 10 minutes.',
    auth: 'stream',
    limit: 'stream',
    query: Type.Object({
      ...byApp,
      // Optional by its shape alone: without it the answer is 401, as at every other door.
      token: Type.Optional(Type.String({ maxLength: 500 })),
      lastEventId: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    returns: stream(Type.Array(SecurityEvent)),
    errors: [503],
  }),
  eraseUser: endpoint({
    method: 'POST',
    path: '/api/events/erase',
    summary: 'Erase every event of one of your users',
    auth: 'account',
    app: 'body.appId',
    body: closed({ ...byApp, userId: text(256) }),
    returns: data(closed({ erased: Count })),
    audit: 'events.erase',
  }),
  exportUser: endpoint({
    method: 'GET',
    path: '/api/events/export',
    summary: 'Every event of one of your users, as JSON lines',
    auth: 'account',
    app: 'query.appId',
    query: Type.Object({ ...byApp, userId: text(256) }),
    returns: { status: 200, data: SecurityEvent, mediaType: 'application/x-ndjson' },
  }),
} as const

const appById = closed({ id: AppId })

export const Baseline = closed({
  status: oneOf(['learning', 'active']),
  learningStartedAt: nullable(isoDate),
  learningEndsAt: nullable(isoDate),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  samples: Type.Integer(),
  profile: Type.Unknown(),
  thresholds: Type.Unknown(),
})
export type Baseline = Static<typeof Baseline>

export const baselines = {
  baseline: endpoint({
    method: 'POST',
    path: '/api/apps/:id/baseline',
    summary: 'What is normal for the app, or (action reset) learn it anew',
    auth: 'account',
    app: 'params.id',
    params: appById,
    body: closed({
      action: Type.Optional(
        Type.Unsafe<'get' | 'reset'>({ type: 'string', enum: ['get', 'reset'], default: 'get' }),
      ),
    }),
    bodyOptional: true,
    returns: data(Baseline),
    audit: 'app.baseline',
  }),
} as const
