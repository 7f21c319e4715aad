import { endpoints, type EndpointShape } from '@merlon/contract'
import { ApiError } from './api-error.ts'
import type { Client } from './client-types.ts'
import { addressOf, headersOf, type Credentials, type LooseInput } from './request.ts'
import { parseRetryAfter, retryDelayMs } from './retry.ts'

export interface ClientOptions extends Credentials {
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  /** For one attempt, from the first byte sent to the last one read. */
  readonly timeoutMs?: number
  readonly retriesMax?: number
  readonly wait?: (ms: number) => Promise<void>
  readonly random?: () => number
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

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
  return { ...plain, raw } as unknown as Client
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
  for (let attempt = 0; ; attempt++) {
    try {
      return await callOnce(endpoint, input, options)
    } catch (error) {
      if (!(error instanceof ApiError) || attempt >= retriesMax) throw error
      const delayMs = retryDelayMs(error, endpoint.method, attempt, random)
      if (delayMs === undefined || input.signal?.aborted === true) throw error
      await wait(delayMs)
    }
  }
}

async function callOnce(endpoint: EndpointShape, input: LooseInput, options: ClientOptions) {
  const timeoutMs = options.timeoutMs ?? 30_000
  const timeout = AbortSignal.timeout(timeoutMs)
  const send = options.fetch ?? fetch
  try {
    const response = await send(addressOf(options.baseUrl, endpoint.path, input), {
      method: endpoint.method,
      headers: headersOf(endpoint, input, options),
      // A redirect would turn a POST into a GET or carry a key to another host.
      redirect: 'manual',
      signal: input.signal === undefined ? timeout : AbortSignal.any([input.signal, timeout]),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    })
    return await readAnswer(endpoint, response)
  } catch (error) {
    if (error instanceof ApiError || input.signal?.aborted === true) throw error
    const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error)
    throw new ApiError(`${options.baseUrl} cannot be reached: ${reason}.`, {
      status: 0,
      cause: error,
    })
  }
}

async function readAnswer(endpoint: EndpointShape, response: Response) {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const text = await response.text()
  if (response.ok && endpoint.returns.mediaType !== undefined) {
    return { data: text, meta: undefined, requestId }
  }
  const answer = parseEnvelope(text)
  if (response.ok && answer?.ok === true) {
    return { data: answer.data, meta: answer.meta, requestId }
  }
  throw new ApiError(sentenceOf(response, answer), {
    status: response.status,
    requestId,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
  })
}

interface Envelope {
  readonly ok?: unknown
  readonly data?: unknown
  readonly meta?: unknown
  readonly error?: unknown
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function sentenceOf(response: Response, answer: Envelope | undefined): string {
  if (typeof answer?.error === 'string') return answer.error
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const target = response.headers.get('location') ?? 'another address'
    return `The server redirects to ${target}; use the final address of the server instead.`
  }
  return `The answer (status ${response.status}) is none of Merlon's: is this the right address?`
}

/** fetch says "fetch failed" and keeps the reason one level down, sometimes as a code alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  if (cause.message !== '') return cause.message
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message
}
