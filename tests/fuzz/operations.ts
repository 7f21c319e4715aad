import type { OpenApiDocument } from '@merlon/contract'
import type { Schema } from './schema-text.ts'

export interface FuzzParameter {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

export interface FuzzOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly auth: string
  readonly limit: string | undefined
  readonly pathParameters: readonly FuzzParameter[]
  readonly queryParameters: readonly FuzzParameter[]
  readonly bodySchema: Schema | undefined
  readonly statuses: readonly number[]
}

/** Everything that the document says can be called, as the fuzz needs it. */
export function operationsOf(document: OpenApiDocument): readonly FuzzOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const parameters = operation.parameters ?? []
      const [media] = Object.values(operation.requestBody?.content ?? {})
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        auth: operation['x-auth'],
        limit: operation['x-limit'],
        pathParameters: parameters.filter((one) => one.in === 'path'),
        queryParameters: parameters.filter((one) => one.in === 'query'),
        bodySchema: media?.schema,
        statuses: Object.keys(operation.responses).map(Number),
      }
    }),
  )
}

export function schemaResolver(document: OpenApiDocument): (reference: string) => Schema {
  return (reference) => {
    const schema = document.components.schemas[reference.split('/').at(-1) ?? '']
    if (schema === undefined) throw new Error(`The document has no ${reference}`)
    return schema
  }
}
