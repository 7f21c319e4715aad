import type { EndpointShape } from '@merlon/contract'
import { reasonOf, unreachable, whyNotReadable } from './answer.ts'
import { ApiError } from './api-error.ts'
import type { LooseInput } from './request.ts'
import { DEFAULT_TIMEOUT_MS, send, type ClientOptions } from './send.ts'

/** The server shows every 30 seconds that it lives; two of these signs may get lost. */
const SILENCE_MS = 75_000

/**
 * The text of an answer of any length, piece by piece as it comes. Ends quietly when the caller
 * aborts; an answer that breaks off, or falls silent, is an ApiError with the status 0.
 */
export async function* streamText(
  endpoint: EndpointShape,
  input: LooseInput,
  options: ClientOptions,
): AsyncGenerator<string, void, undefined> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, silenceMs = SILENCE_MS } = options
  const watch = createWatch()
  try {
    watch.expectWithin(timeoutMs)
    const response = await send(endpoint, input, options, watch.signal)
    const refusal = await whyNotReadable(endpoint, response)
    if (refusal !== undefined) throw refusal
    if (response.body === null) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      watch.expectWithin(silenceMs)
      const { done, value } = await reader.read()
      // However long the caller thinks about a piece, it is not the server that is silent.
      watch.rest()
      if (done) return
      yield value
    }
  } catch (error) {
    if (input.signal?.aborted === true) return
    if (error instanceof ApiError) throw error
    const { waitedMs } = watch
    const reason = watch.signal.aborted ? `nothing came within ${waitedMs} ms` : reasonOf(error)
    throw unreachable(options.baseUrl, reason, error)
  } finally {
    watch.rest()
    // Whoever stops reading early must not leave the connection behind.
    watch.end()
  }
}

function createWatch() {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitedMs = 0
  const rest = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    rest,
    end: () => controller.abort(),
    expectWithin(ms: number) {
      rest()
      waitedMs = ms
      timer = setTimeout(() => controller.abort(), ms)
    },
    get waitedMs() {
      return waitedMs
    },
  }
}
