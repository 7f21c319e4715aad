import type { Analytics, SecurityEvent } from '@merlon/contract'
import type { harness } from './harness.ts'

type House = ReturnType<typeof harness>

/** A valid event; say only what matters for the test. */
export function event(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'request.blocked',
    module: 'shield',
    severity: 'HIGH',
    title: 'SQL injection stopped',
    ...fields,
  }
}

export async function ingest(
  house: House,
  appKey: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return house.call<{ count: number; rejected?: { index: number; error: string }[] }>(
    'POST',
    '/api/events/ingest',
    {
      appKey,
      body,
      headers,
    },
  )
}

export async function stored(
  house: House,
  key: string,
  appId: string,
  query = '',
): Promise<SecurityEvent[]> {
  return (
    await house.call<SecurityEvent[]>('GET', `/api/events?appId=${appId}&limit=100${query}`, {
      as: key,
    })
  ).data
}

export async function counted(
  house: House,
  key: string,
  appId: string,
  window = '24h',
): Promise<Analytics> {
  return (
    await house.call<Analytics>('GET', `/api/events/analytics?appId=${appId}&window=${window}`, {
      as: key,
    })
  ).data
}
