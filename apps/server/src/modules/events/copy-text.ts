import { isoTime, type StoredEvent } from './stored-event.ts'

const NEEDS_ESCAPE = /[\\\n\r\t]/
const NULL = '\\N'

/** Events in the text format of COPY, in the order of `eventColumns`. */
export function copyText(events: readonly StoredEvent[]): string {
  let text = ''
  for (const e of events) {
    text +=
      `${e.appId}\t${e.id}\t${isoTime(e.at)}\t${isoTime(e.receivedAt)}\t` +
      `${escape(e.type)}\t${escape(e.module)}\t${e.severity}\t${escape(e.title)}\t${field(e.description)}\t` +
      `${field(e.ip)}\t${field(e.userId)}\t${field(e.country)}\t${field(e.city)}\t${e.asn ?? NULL}\t` +
      `${field(e.payloadText)}\n`
  }
  return text
}

function field(value: string | null): string {
  return value === null ? NULL : escape(value)
}

function escape(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
}
