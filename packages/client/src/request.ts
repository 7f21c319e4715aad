import type { EndpointShape } from '@merlon/contract'

type Words = Readonly<Record<string, string | number | boolean | undefined>>

/** What every call takes beside its own input. */
export interface CallExtras {
  readonly signal?: AbortSignal
  /** Names in lower case. An `idempotency-key` lets a call that changes something be repeated. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it goes over the wire, such as a compressed one; `body` is then not looked at. */
  readonly rawBody?: Uint8Array<ArrayBuffer>
}

/** The input of any call, before the endpoint's own types are known. */
export interface LooseInput extends CallExtras {
  readonly params?: Words
  readonly query?: Words
  readonly body?: unknown
}

export interface Credentials {
  /** An API key of the account. Absent in a browser that is signed in with a session. */
  readonly apiKey?: string | undefined
  /** The key of one app, for the endpoints that the SDK calls. */
  readonly appKey?: string | undefined
  /** What `auth.me` answered; state-changing calls with a session cookie need it. */
  readonly csrfToken?: (() => string | undefined) | undefined
}

/** The address of a call. A path in the base (`https://host/merlon`) is kept. */
export function addressOf(baseUrl: string, path: string, input: LooseInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.toString()
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`
}

export function headersOf(
  endpoint: EndpointShape,
  input: LooseInput,
  credentials: Credentials,
): Record<string, string> {
  const { apiKey, appKey } = credentials
  const headers: Record<string, string> = {
    accept: endpoint.returns.mediaType ?? 'application/json',
  }
  if (input.body !== undefined || input.rawBody !== undefined) {
    headers['content-type'] = 'application/json'
  }
  if (endpoint.auth === 'app') {
    if (appKey !== undefined) headers['x-api-key'] = appKey
  } else if (apiKey !== undefined) {
    headers.authorization = `Bearer ${apiKey}`
  } else {
    const csrfToken = endpoint.method === 'GET' ? undefined : credentials.csrfToken?.()
    if (csrfToken !== undefined) headers['x-csrf-token'] = csrfToken
  }
  return { ...headers, ...input.headers }
}
