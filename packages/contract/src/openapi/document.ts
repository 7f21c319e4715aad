/** The part of OpenAPI 3.1 that this product writes. A schema is JSON Schema, so it stays open. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Reference {
  readonly $ref: string
}

export interface MediaType {
  readonly schema: JsonSchema
  readonly 'x-frame'?: JsonSchema
}

export interface Header {
  readonly description: string
  readonly schema: JsonSchema
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface RequestBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Readonly<Record<string, MediaType>>
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly SecurityRequirement[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response | Reference>>
  /** Which door the call goes through, in the words of the endpoint table. */
  readonly 'x-auth': string
  readonly 'x-limit'?: string
  readonly 'x-plan'?: string
}

export type OperationMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type PathItem = Readonly<Partial<Record<OperationMethod, Operation>>>

export interface SecurityScheme {
  readonly type: 'http' | 'apiKey'
  readonly description: string
  readonly scheme?: string
  readonly in?: 'cookie' | 'header' | 'query'
  readonly name?: string
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly headers: Readonly<Record<string, Header>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}
