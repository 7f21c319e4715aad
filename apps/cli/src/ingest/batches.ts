import { eventLimits } from '@merlon/client'
import type { ReadEvent } from './read-events.ts'

export interface Rejection {
  readonly line: number
  readonly error: string
}

export interface Batch {
  /** The body of the request. */
  readonly text: string
  /** The line of each event, in the order of the body. */
  readonly lines: readonly number[]
}

interface Bounds {
  readonly eventsMax: number
  readonly bytesMax: number
}

const serverBounds: Bounds = {
  eventsMax: eventLimits.eventsPerRequest,
  bytesMax: eventLimits.bodyBytes,
}

/** Events in bodies that the server takes; what can never be in one is rejected here. */
export async function* batchesOf(
  events: AsyncIterable<ReadEvent> | Iterable<ReadEvent>,
  onRejected: (rejection: Rejection) => void,
  newId: () => string,
  { eventsMax, bytesMax }: Bounds = serverBounds,
): AsyncGenerator<Batch, void, undefined> {
  let texts: string[] = []
  let lines: number[] = []
  // Both brackets; and one comma for each event, of which the last is one too many.
  let bytes = 2
  const take = (): Batch => {
    const batch = { text: `[${texts.join(',')}]`, lines }
    texts = []
    lines = []
    bytes = 2
    return batch
  }
  for await (const event of events) {
    if ('error' in event) {
      onRejected(event)
      continue
    }
    const text = JSON.stringify(withId(event.value, newId))
    const size = Buffer.byteLength(text) + 1
    if (size + 2 > bytesMax) {
      onRejected({ line: event.line, error: `The event is larger than ${bytesMax} bytes.` })
      continue
    }
    if (lines.length >= eventsMax || bytes + size > bytesMax) yield take()
    texts.push(text)
    lines.push(event.line)
    bytes += size
  }
  if (lines.length > 0) yield take()
}

/** With an id of its own an event counts once, however often it is sent. */
function withId(value: unknown, newId: () => string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { id } = value as { readonly id?: unknown }
  return id === undefined || id === null ? { ...value, id: newId() } : value
}
