import { createOrderedIds } from '@merlon/base'
import type { StoredEvent } from '../src/modules/events/stored-event.ts'

const nextId = createOrderedIds('event')

/** An event as the writers get it, for tests below the door. */
export function storedEvent(fields: Partial<StoredEvent> = {}): StoredEvent {
  const at = fields.at ?? Date.now()
  return {
    appId: 'app',
    id: nextId(at),
    at,
    receivedAt: at,
    type: 'request.blocked',
    module: 'shield',
    severity: 'HIGH',
    title: 'SQL injection stopped',
    description: null,
    ip: null,
    userId: null,
    country: null,
    city: null,
    asn: null,
    payloadText: null,
    attackType: null,
    clientId: null,
    inbox: null,
    kept: true,
    ...fields,
  }
}
