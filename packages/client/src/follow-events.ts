import type { SecurityEvent } from '@merlon/contract'
import { ApiError } from './api-error.ts'
import type { Client, FollowInput } from './client-types.ts'
import type { ClientOptions } from './send.ts'

const FIRST_WAIT_MS = 500
const WAIT_MAX_MS = 30_000

/**
 * The events of an app as they happen, in batches, over as many connections as it takes: each new
 * one goes on behind the last batch. A stream that never opened fails; one that did comes back for
 * as long as the reasons are passing ones. Ends when the signal is aborted.
 */
export async function* followEvents(
  stream: Client['streamEvents'],
  { appId, signal, onConnected, onDrop, ...start }: FollowInput,
  { wait, random }: Required<Pick<ClientOptions, 'wait' | 'random'>>,
): AsyncGenerator<readonly SecurityEvent[], void, undefined> {
  let lastEventId = start.lastEventId
  let hasBeenOpen = false
  let attempt = 0
  for (;;) {
    let error: unknown
    try {
      const from = lastEventId === undefined ? {} : { lastEventId }
      const abort = signal === undefined ? {} : { signal }
      for await (const frame of stream({ appId, ...from, ...abort })) {
        if (frame.event === 'connected') {
          hasBeenOpen = true
          lastEventId = frame.id ?? lastEventId
          onConnected?.()
          continue
        }
        // Saying hello is not yet working: a server that only does that is asked ever less often.
        attempt = 0
        if (frame.event !== 'events') continue
        yield parseEvents(frame.data)
        lastEventId = frame.id ?? lastEventId
      }
    } catch (reason) {
      error = reason
    }
    if (signal?.aborted === true) return
    if (error !== undefined && !(hasBeenOpen && isPassing(error))) throw error
    const waitMs = waitBefore(attempt++, error, random)
    onDrop?.({ error, waitMs, isGapless: lastEventId !== undefined })
    await wait(waitMs, signal)
  }
}

function parseEvents(data: string): readonly SecurityEvent[] {
  try {
    const events: unknown = JSON.parse(data)
    if (Array.isArray(events)) return events as readonly SecurityEvent[]
  } catch {
    // Said below, as for everything else that is no list.
  }
  throw new ApiError('The stream sent something that is no list of events.', { status: 0 })
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
  )
}

function waitBefore(attempt: number, error: unknown, random: () => number): number {
  const backoffMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + random() / 2)
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  return Math.max(backoffMs, asked ?? 0)
}
