import type { EndpointShape } from '../endpoint.ts'
import type { Header, JsonSchema, MediaType, Reference, Response } from './document.ts'
import { reference, type NameSchemas } from './schemas.ts'

export const headers: Readonly<Record<string, Header>> = {
  RateLimitLimit: {
    description: 'How many calls the window allows.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitRemaining: {
    description: 'How many calls are left in the window.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    description: 'Seconds until the window is full again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RequestId: {
    description: 'Names this request in the logs of the server; quote it when asking for support.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the call has a chance again.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const requestId = { 'X-Request-Id': headerReference('RequestId') }
const limited = {
  ...requestId,
  'RateLimit-Limit': headerReference('RateLimitLimit'),
  'RateLimit-Remaining': headerReference('RateLimitRemaining'),
  'RateLimit-Reset': headerReference('RateLimitReset'),
}

export const ErrorEnvelope: JsonSchema = {
  type: 'object',
  required: ['ok', 'error'],
  properties: {
    ok: { const: false },
    error: {
      type: 'string',
      minLength: 1,
      description: 'A sentence that names the field or resource at fault and what would be right.',
    },
  },
  additionalProperties: false,
}

const failures: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  400: ['BadRequest', 'The request cannot be read or breaks a rule; the sentence names the field.'],
  401: ['Unauthorized', 'The credential is missing, wrong, expired or of the wrong kind.'],
  403: ['Forbidden', 'The credential is good and not enough: ownership, role, plan or suspension.'],
  404: ['NotFound', 'Nothing has this id.'],
  409: ['Conflict', 'The current state does not allow this.'],
  410: ['Gone', 'It was there and is not any more.'],
  413: ['ContentTooLarge', 'The body is larger than this endpoint reads.'],
  415: ['UnsupportedMediaType', 'The body is of a media type that this endpoint does not read.'],
  429: ['TooManyRequests', 'The rate limit is used up; `Retry-After` says for how long.'],
  503: ['ServiceUnavailable', 'The server cannot answer at the moment.'],
}

export const failureResponses: Readonly<Record<string, Response>> = Object.fromEntries(
  Object.entries(failures).map(([status, [name, description]]) => [
    name,
    {
      description,
      headers: headersOfFailure(Number(status)),
      content: json(reference('Error')),
    },
  ]),
)

export function failureReference(status: number): Reference {
  const failure = failures[status]
  if (failure === undefined) throw new Error(`No answer is described for the status ${status}`)
  return { $ref: `#/components/responses/${failure[0]}` }
}

export function successResponse(
  returns: EndpointShape['returns'],
  description: string,
  nameAll: NameSchemas,
): Response {
  const { mediaType, data, meta } = returns
  if (mediaType === undefined) {
    const schema = envelope(nameAll(data), meta && nameAll(meta))
    return { description, headers: limited, content: json(schema) }
  }
  // A stream is text on the wire; what one frame carries stands beside it.
  const content: MediaType =
    mediaType === 'text/event-stream'
      ? { schema: { type: 'string' }, 'x-frame': nameAll(data) }
      : { schema: nameAll(data) }
  return { description, headers: limited, content: { [mediaType]: content } }
}

/** `{ ok: true, data }`, and `meta` where the endpoint has one. */
export function envelope(data: JsonSchema, meta?: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: meta === undefined ? ['ok', 'data'] : ['ok', 'data', 'meta'],
    properties: { ok: { const: true }, data, ...(meta === undefined ? {} : { meta }) },
    additionalProperties: false,
  }
}

export function json(schema: JsonSchema): Record<string, MediaType> {
  return { 'application/json': { schema } }
}

/** The doors of the shell (health, metrics) are not limited, but every answer has its request id. */
export const unlimitedHeaders = requestId

function headersOfFailure(status: number): Record<string, Reference> {
  if (status === 503) return { ...requestId, 'Retry-After': headerReference('RetryAfter') }
  if (status === 429) return { ...limited, 'Retry-After': headerReference('RetryAfter') }
  return limited
}

function headerReference(name: string): Reference {
  return { $ref: `#/components/headers/${name}` }
}
