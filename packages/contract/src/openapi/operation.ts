import type { EndpointShape } from '../endpoint.ts'
import { failureReference, successResponse } from './answers.ts'
import type { Operation, Parameter, RequestBody } from './document.ts'
import { isRecord } from './is-record.ts'
import type { NameSchemas } from './schemas.ts'
import { securityOf } from './security.ts'

export interface DocumentedEndpoint extends EndpointShape {
  readonly statuses: readonly number[]
}

export function operationOf(
  area: string,
  name: string,
  endpoint: DocumentedEndpoint,
  nameAll: NameSchemas,
): Operation {
  const description = descriptionOf(endpoint)
  const parameters = [
    ...parametersOf('path', endpoint.params, nameAll),
    ...parametersOf('query', endpoint.query, nameAll),
  ]
  const requestBody = requestBodyOf(endpoint, nameAll)
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(endpoint.auth, endpoint.method),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(endpoint, nameAll),
    'x-auth': endpoint.auth,
    ...(endpoint.limit === undefined ? {} : { 'x-limit': endpoint.limit }),
    ...(endpoint.plan === undefined ? {} : { 'x-plan': endpoint.plan }),
  }
}

/** What the declaration says beyond its own words: a reader must not have to know the DSL. */
function descriptionOf({ description, auth, plan, bodyBytesMax }: DocumentedEndpoint): string {
  const sentences = [
    description,
    auth === 'operator' ? "Only the operator's account may call this." : undefined,
    auth === 'session' ? 'Needs a session: an API key is refused.' : undefined,
    plan === undefined ? undefined : `Needs the plan \`${plan}\` or a higher one.`,
    bodyBytesMax === undefined ? undefined : `The body may have up to ${bodyBytesMax} bytes.`,
  ]
  return sentences.filter((sentence) => sentence !== undefined).join('\n\n')
}

function parametersOf(
  place: Parameter['in'],
  schema: unknown,
  nameAll: NameSchemas,
): readonly Parameter[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = nameAll(property)
    return {
      name,
      in: place,
      // OpenAPI knows no optional part of a path.
      required: place === 'path' || required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest,
    }
  })
}

function requestBodyOf(
  { body, bodyOptional, mediaTypes = ['application/json'] }: DocumentedEndpoint,
  nameAll: NameSchemas,
): RequestBody | undefined {
  if (body === undefined) return undefined
  const schema = nameAll(body)
  return {
    required: bodyOptional !== true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])),
  }
}

const successWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Taken on; the work goes on after the answer.',
}

function responsesOf(
  { returns, statuses }: DocumentedEndpoint,
  nameAll: NameSchemas,
): Operation['responses'] {
  return Object.fromEntries(
    statuses.map((status) => {
      if (status === returns.status) {
        return [status, successResponse(returns, successWords[status] ?? 'Done.', nameAll)]
      }
      if (status === 304) return [status, { description: 'Nothing changed since that ETag.' }]
      return [status, failureReference(status)]
    }),
  )
}
