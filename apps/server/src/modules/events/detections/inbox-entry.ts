import {
  authOutcome,
  parseTrafficAggregate,
  trafficAggregateType,
  type TrafficAggregate,
} from '@merlon/detect'
import type { Place } from '../../../geo/index.ts'
import { storable } from '../clean-payload.ts'

/** A person's sign of life, as the detectors want it. */
export interface Sighting {
  readonly kind: 'sighting'
  readonly type: string
  readonly at: number
  readonly userId: string | null
  readonly ip: string | null
  readonly place: Place
  readonly userAgent?: string
  readonly acceptLanguage?: string
  readonly sessionId?: string
}

/** One minute of traffic in numbers. */
export interface AggregateEntry {
  readonly kind: 'aggregate'
  readonly aggregate: TrafficAggregate
}

export type InboxEntry = Sighting | AggregateEntry

interface Seen {
  readonly type: string
  readonly at: number
  readonly userId: string | null
  readonly ip: string | null
}

/** What of this event a detector should look at; null for most events. */
export function inboxEntry(
  event: Seen,
  payload: object | null,
  place: Place | undefined,
): InboxEntry | null {
  const fields = (payload ?? {}) as Record<string, unknown>
  const sessionId = textOf(fields['sessionId'])
  const isAuth =
    authOutcome(event.type) !== undefined && (event.userId !== null || event.ip !== null)
  if (!isAuth && (sessionId === undefined || event.userId === null)) return null
  const userAgent = textOf(fields['userAgent'])
  const acceptLanguage = textOf(fields['acceptLanguage'])
  return {
    kind: 'sighting',
    type: event.type,
    at: event.at,
    userId: event.userId,
    ip: event.ip,
    place: place ?? {},
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
}

/** A traffic aggregate feeds the baseline only: it is a measurement, not a security event. */
export function aggregateEntry(
  type: string,
  payload: unknown,
): AggregateEntry | string | undefined {
  if (type !== trafficAggregateType) return undefined
  const parsed = parseTrafficAggregate(payload)
  return parsed.ok
    ? { kind: 'aggregate', aggregate: parsed.aggregate }
    : `payload: ${parsed.error}.`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== '[redacted]'
    ? storable(value.slice(0, 500))
    : undefined
}
