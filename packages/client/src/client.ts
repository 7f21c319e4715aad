import { endpoints, type EndpointShape } from '@merlon/contract'
import { readAnswer, reasonOf, unreachable } from './answer.ts'
import { ApiError } from './api-error.ts'
import type { Client } from './client-types.ts'
import { followEvents } from './follow-events.ts'
import type { LooseInput } from './request.ts'
import { retryDelayMs } from './retry.ts'
import { DEFAULT_TIMEOUT_MS, send, sleep, type ClientOptions } from './send.ts'
import { streamEvents } from './stream-events.ts'
import { streamText } from './stream-text.ts'

/** The whole API as functions, derived from the endpoint table: nothing here knows an endpoint. */
export function createClient(options: ClientOptions): Client {
  const call =
    (endpoint: EndpointShape) =>
    async (input: LooseInput = {}) =>
      callWithRetries(endpoint, input, options)
  const raw = mapEndpoints(call)
  const plain = mapEndpoints((endpoint) => {
    const answer = call(endpoint)
    return async (input?: LooseInput) => (await answer(input)).data
  })
  // The table's types are lost while it is walked; client-types.ts gives them back.
  const client = { ...plain, raw } as unknown as Client
  const { wait = sleep, random = Math.random } = options
  const stream: Client['streamEvents'] = (input) => streamEvents(client, input, options)
  return {
    ...client,
    streamEvents: stream,
    followEvents: (input) => followEvents(stream, input, { wait, random }),
    exportUser: ({ signal, ...query }) =>
      streamText(
        endpoints.events.exportUser,
        { query, ...(signal === undefined ? {} : { signal }) },
        options,
      ),
  }
}

function mapEndpoints<T>(make: (endpoint: EndpointShape) => T) {
  return Object.fromEntries(
    Object.entries(endpoints).map(([area, group]) => [
      area,
      Object.fromEntries(Object.entries(group).map(([name, endpoint]) => [name, make(endpoint)])),
    ]),
  )
}

async function callWithRetries(endpoint: EndpointShape, input: LooseInput, options: ClientOptions) {
  const { retriesMax = 2, wait = sleep, random = Math.random } = options
  // With such a key the server itself sees to it that sending again changes nothing twice.
  const isRepeatable = endpoint.method === 'GET' || input.headers?.['idempotency-key'] !== undefined
  for (let attempt = 0; ; attempt++) {
    try {
      return await callOnce(endpoint, input, options)
    } catch (error) {
      if (!(error instanceof ApiError) || attempt >= retriesMax) throw error
      const delayMs = retryDelayMs(error, isRepeatable, attempt, random)
      if (delayMs === undefined || input.signal?.aborted === true) throw error
      await wait(delayMs, input.signal)
    }
  }
}

async function callOnce(endpoint: EndpointShape, input: LooseInput, options: ClientOptions) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await readAnswer(endpoint, await send(endpoint, input, options, timeout))
  } catch (error) {
    if (error instanceof ApiError || input.signal?.aborted === true) throw error
    const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error)
    throw unreachable(options.baseUrl, reason, error)
  }
}
