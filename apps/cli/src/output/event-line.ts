import type { SecurityEvent } from '@merlon/client'
import type { Color, Output } from './output.ts'
import { clean } from './table.ts'

const colors: Readonly<Partial<Record<SecurityEvent['severity'], Color>>> = {
  CRITICAL: 'red',
  HIGH: 'red',
  MEDIUM: 'yellow',
  INFO: 'dim',
}

/** An event on one line, for a stream that cannot know how wide its columns will be. */
export function eventLine(event: SecurityEvent, paint: Output['paint']): string {
  const color = colors[event.severity]
  const severity = event.severity.padEnd(8)
  const facts = [
    event.ip === null ? undefined : `ip=${event.ip}`,
    event.country === null ? undefined : `country=${event.country}`,
    event.userId === null ? undefined : `user=${event.userId}`,
  ].filter((fact) => fact !== undefined)
  return [
    event.timestamp,
    color === undefined ? severity : paint(color, severity),
    clean(event.type).padEnd(24),
    clean(event.title),
    ...facts.map(clean),
  ].join('  ')
}
