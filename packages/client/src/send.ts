import type { EndpointShape } from '@merlon/contract'
import { addressOf, headersOf, type Credentials, type LooseInput } from './request.ts'

export interface ClientOptions extends Credentials {
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  /** For one attempt, from the first byte sent to the last one read; for a stream, to the first. */
  readonly timeoutMs?: number
  /** How long a stream may stay silent before it is taken for dead. */
  readonly silenceMs?: number
  readonly retriesMax?: number
  /** Settles after the time, or early when the signal is aborted. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random?: () => number
}

export const DEFAULT_TIMEOUT_MS = 30_000

/** One request, with no word about what comes back. */
export async function send(
  endpoint: EndpointShape,
  input: LooseInput,
  options: ClientOptions,
  timeout: AbortSignal,
): Promise<Response> {
  const { fetch: fetchOnce = fetch } = options
  const body = input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(input.body))
  return fetchOnce(addressOf(options.baseUrl, endpoint.path, input), {
    method: endpoint.method,
    headers: headersOf(endpoint, input, options),
    // A redirect would turn a POST into a GET or carry a key to another host.
    redirect: 'manual',
    signal: input.signal === undefined ? timeout : AbortSignal.any([input.signal, timeout]),
    ...(body === undefined ? {} : { body }),
  })
}

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
