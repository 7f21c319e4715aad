import type { SecurityEvent } from '@merlon/contract'
import type { Severity } from '@merlon/base'

/** An event as it is written: checked, masked, enriched, stamped. */
export interface StoredEvent {
  readonly appId: string
  readonly id: string
  /** The time of the event: the client's word, or when it came. */
  readonly at: number
  readonly receivedAt: number
  readonly type: string
  readonly module: string
  readonly severity: Severity
  readonly title: string
  readonly description: string | null
  readonly ip: string | null
  readonly userId: string | null
  readonly country: string | null
  readonly city: string | null
  readonly asn: number | null
  /** Compact JSON text: it is needed as text for its size, for the copy and for the log alike. */
  readonly payloadText: string | null
  readonly attackType: string | null
  readonly clientId: string | null
  /** What a detector wants to know of it, where one does. */
  readonly inbox: object | null
  /** False for what only feeds a detector: it is neither stored nor counted. */
  readonly kept: boolean
}

export interface EventRow {
  app_id: string
  id: string
  ts: Date
  received_at: Date
  type: string
  module: string
  severity: string
  title: string
  description: string | null
  ip: string | null
  user_id: string | null
  country: string | null
  city: string | null
  asn: number | null
  payload: unknown
}

export const eventColumns = [
  'app_id',
  'id',
  'ts',
  'received_at',
  'type',
  'module',
  'severity',
  'title',
  'description',
  'ip',
  'user_id',
  'country',
  'city',
  'asn',
  'payload',
] as const

export function toSecurityEvent(row: EventRow): SecurityEvent {
  return {
    id: row.id,
    appId: row.app_id,
    type: row.type,
    module: row.module,
    severity: row.severity as Severity,
    title: row.title,
    description: row.description,
    ip: row.ip,
    userId: row.user_id,
    country: row.country,
    city: row.city,
    asn: row.asn,
    payload: row.payload,
    timestamp: row.ts.toISOString(),
    receivedAt: row.received_at.toISOString(),
  }
}

let lastMs = Number.NaN
let lastText = ''

/** Events come in bursts of the same millisecond, and a date is costly to write out. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}
