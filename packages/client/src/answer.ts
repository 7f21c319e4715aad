import type { EndpointShape } from '@merlon/contract'
import { ApiError } from './api-error.ts'
import { parseRetryAfter } from './retry.ts'

interface Envelope {
  readonly ok?: unknown
  readonly data?: unknown
  readonly meta?: unknown
  readonly error?: unknown
}

/** The data of an answer, or the ApiError that it amounts to. */
export async function readAnswer(endpoint: EndpointShape, response: Response) {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const text = await response.text()
  if (response.ok && endpoint.returns.mediaType !== undefined) {
    return { data: text, meta: undefined, requestId }
  }
  const answer = parseEnvelope(text)
  if (response.ok && answer?.ok === true) {
    return { data: answer.data, meta: answer.meta, requestId }
  }
  throw refusalOf(response, answer)
}

/** Why an answer that is read bit by bit cannot be, or undefined when it can. */
export async function whyNotReadable(
  endpoint: EndpointShape,
  response: Response,
): Promise<ApiError | undefined> {
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim()
  if (response.ok && mediaType === endpoint.returns.mediaType) return undefined
  return refusalOf(response, parseEnvelope(await response.text()))
}

/** No answer came, or it broke off. */
export function unreachable(baseUrl: string, reason: string, cause: unknown): ApiError {
  return new ApiError(`${baseUrl} cannot be reached: ${reason}.`, { status: 0, cause })
}

/** fetch says "fetch failed" and keeps the reason one level down, sometimes as a code alone. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  if (cause.message !== '') return cause.message
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message
}

function refusalOf(response: Response, answer: Envelope | undefined): ApiError {
  return new ApiError(sentenceOf(response, answer), {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
  })
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
