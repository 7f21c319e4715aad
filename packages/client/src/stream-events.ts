import { endpoints } from '@merlon/contract'
import { unreachable } from './answer.ts'
import type { Client, StreamInput } from './client-types.ts'
import type { ClientOptions } from './send.ts'
import { createSseParser, type StreamFrame } from './sse-parser.ts'
import { streamText } from './stream-text.ts'

/**
 * One connection to the live stream of an app, with a token of its own, frame by frame until it
 * ends. `followEvents` is the one that comes back after a drop.
 */
export async function* streamEvents(
  { events }: Pick<Client, 'events'>,
  { appId, lastEventId, signal }: StreamInput,
  options: ClientOptions,
): AsyncGenerator<StreamFrame, void, undefined> {
  const abort = signal === undefined ? {} : { signal }
  let token
  try {
    token = (await events.createStreamToken({ body: { appId }, ...abort })).token
  } catch (error) {
    if (signal?.aborted === true) return
    throw error
  }
  const input = {
    query: { appId, token },
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    ...abort,
  }
  const parse = createSseParser()
  for await (const piece of streamText(endpoints.events.streamEvents, input, options)) {
    yield* framesOf(piece, parse, options.baseUrl)
  }
}

function framesOf(piece: string, parse: (piece: string) => readonly StreamFrame[], url: string) {
  try {
    return parse(piece)
  } catch (error) {
    throw unreachable(url, error instanceof Error ? error.message : 'unknown reason', error)
  }
}
