import type { StoredEvent } from './stored-event.ts'

/** [hour since 1970, dimension, key, count]: what one batch adds to the rollups of one app. */
export type Count = readonly [hour: number, dimension: Dimension, key: string, n: number]

export const dimensions = [
  'total',
  'blocked',
  'critical',
  'type',
  'module',
  'severity',
  'country',
  'attack',
] as const
export type Dimension = (typeof dimensions)[number]

const HOUR_MS = 3_600_000

export function countEvents(events: readonly StoredEvent[]): Map<string, readonly Count[]> {
  const apps = new Map<string, Map<string, [number, Dimension, string, number]>>()
  for (const event of events) {
    let counts = apps.get(event.appId)
    if (counts === undefined) apps.set(event.appId, (counts = new Map()))
    const hour = Math.floor(event.at / HOUR_MS)
    add(counts, hour, 'total', '')
    if (event.type.endsWith('.blocked')) add(counts, hour, 'blocked', '')
    if (event.severity === 'CRITICAL') add(counts, hour, 'critical', '')
    add(counts, hour, 'type', event.type)
    add(counts, hour, 'module', event.module)
    add(counts, hour, 'severity', event.severity)
    if (event.country !== null) add(counts, hour, 'country', event.country)
    if (event.attackType !== null) add(counts, hour, 'attack', event.attackType)
  }
  return new Map([...apps].map(([appId, counts]) => [appId, [...counts.values()]]))
}

function add(
  counts: Map<string, [number, Dimension, string, number]>,
  hour: number,
  dimension: Dimension,
  key: string,
): void {
  const id = `${hour} ${dimension} ${key}`
  const count = counts.get(id)
  if (count === undefined) counts.set(id, [hour, dimension, key, 1])
  else count[3]++
}
