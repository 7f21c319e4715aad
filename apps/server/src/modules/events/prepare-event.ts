import { createOrderedIds, type FieldMatcher } from '@merlon/base'
import { eventLimits, type EventInput } from '@merlon/contract'
import type { Geo } from '../../geo/index.ts'
import { cleanPayload, storable } from './clean-payload.ts'
import type { StoredEvent } from './stored-event.ts'
import { aggregateEntry, inboxEntry } from './detections/inbox-entry.ts'

const nextId = createOrderedIds('event')

export interface Preparation {
  readonly appId: string
  readonly now: number
  readonly isSensitive: FieldMatcher
  readonly geo: Geo
}

/** From a checked input to what is written, or a sentence when the payload cannot be kept. */
export function prepareEvent(
  input: EventInput,
  { appId, now, isSensitive, geo }: Preparation,
): StoredEvent | string {
  let payloadText: string | null = null
  let payload: object | null = null
  if (input.payload !== undefined && input.payload !== null) {
    const { clean, tooDeep } = cleanPayload(input.payload, isSensitive)
    if (tooDeep) return `payload is nested deeper than ${eventLimits.payloadDepth} levels.`
    payload = clean
    payloadText = JSON.stringify(clean)
    if (
      payloadText.length > eventLimits.payloadBytes ||
      Buffer.byteLength(payloadText) > eventLimits.payloadBytes
    ) {
      return `payload is larger than ${eventLimits.payloadBytes / 1024} KiB.`
    }
  }
  const ip = input.ip === undefined || input.ip === '' ? null : input.ip
  const place = ip === null ? undefined : geo.lookup(ip)
  const at = typeof input.timestamp === 'string' ? Date.parse(input.timestamp) : now
  const event = {
    appId,
    id: nextId(now),
    at,
    receivedAt: now,
    type: storable(input.type),
    module: storable(input.module),
    severity: input.severity,
    title: storable(input.title),
    description: typeof input.description === 'string' ? storable(input.description) : null,
    ip,
    userId: typeof input.userId === 'string' && input.userId !== '' ? storable(input.userId) : null,
    country: place?.country ?? null,
    city: place?.city ?? null,
    asn: place?.asn ?? null,
    payloadText,
    attackType: attackTypeOf(input, payload),
    clientId: typeof input.id === 'string' ? storable(input.id) : null,
  }
  const aggregate = aggregateEntry(event.type, payload)
  if (typeof aggregate === 'string') return aggregate
  if (aggregate !== undefined) return { ...event, inbox: aggregate, kept: false }
  return { ...event, inbox: inboxEntry(event, payload, place), kept: true }
}

/** What the analytics count as the kind of attack: the sender's word, else the type of a shield event. */
function attackTypeOf(input: EventInput, payload: object | null): string | null {
  const given = payload === null ? undefined : (payload as Record<string, unknown>)['attackType']
  if (typeof given === 'string' && given !== '') return storable(given.slice(0, 100))
  return input.module === 'shield' ? storable(input.type) : null
}
