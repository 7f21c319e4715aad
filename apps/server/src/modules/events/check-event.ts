import { isIp } from '@merlon/base'
import { EventInputSchema, eventLimits, type EventInput } from '@merlon/contract'
import { compileBodyCheck } from '../../http/validation.ts'
import { explain } from '../../http/explain.ts'

const isEvent = compileBodyCheck(EventInputSchema)
const DAY_MS = 86_400_000

/** What is wrong with the event, in one sentence, or undefined when it can be taken. */
export function whyNotTaken(
  value: unknown,
  now: number,
  retentionDays: number,
): string | undefined {
  if (!isEvent(value)) return explain(isEvent.errors ?? [], 'event')
  const event = value as EventInput
  if (typeof event.ip === 'string' && event.ip !== '' && !isIp(event.ip)) {
    return 'ip must be an IPv4 or IPv6 address.'
  }
  if (typeof event.timestamp === 'string') {
    const at = Date.parse(event.timestamp)
    if (!(at <= now + eventLimits.aheadMs)) return 'timestamp lies more than 24 hours ahead.'
    if (at < now - retentionDays * DAY_MS) {
      return `timestamp is older than the ${retentionDays} days that events are kept.`
    }
  }
  return undefined
}
