import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { data, endpoint, stream } from './endpoint.ts'
import { endpoints, openApiDocument } from './index.ts'
import { describeEndpoints } from './openapi.ts'
import { App } from './resources.ts'
import { closed, nullable } from './shapes.ts'

const document = openApiDocument()
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)
const table = Object.entries(endpoints).flatMap(([area, group]) =>
  Object.entries(group).map(([name, entry]) => ({ id: `${area}.${name}`, entry })),
)

function operation(id: string) {
  const found = operations.find((candidate) => candidate.operation.operationId === id)
  if (found === undefined) throw new Error(`No operation ${id}`)
  return found.operation
}

function resolve(ref: string): unknown {
  const steps = ref.replace('#/', '').split('/')
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    document,
  )
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

describe('the OpenAPI document', () => {
  it.each(table)('describes $id under its method and path', ({ id, entry }) => {
    const path = entry.path.replaceAll(/:(\w+)/g, '{$1}')
    expect(operations.find(({ operation }) => operation.operationId === id)).toMatchObject({
      path,
      method: entry.method.toLowerCase(),
    })
  })

  it.each(table)('lists exactly the statuses that $id declares', ({ id, entry }) => {
    expect(Object.keys(operation(id).responses).map(Number)).toEqual(entry.statuses)
  })

  it.each(table)('has a parameter for each placeholder in the path of $id', ({ id, entry }) => {
    const placeholders = [...entry.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const parameters = operation(id).parameters ?? []
    expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(
      placeholders,
    )
  })

  it('holds nothing but the table and the paths of the shell', () => {
    expect(operations.length).toBe(table.length + 4)
  })

  it('refers only to components that exist', () => {
    const broken = referencesIn(document).filter((ref) => resolve(ref) === undefined)
    expect(broken).toEqual([])
  })

  it('names every security scheme that an operation asks for', () => {
    const asked = operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys))
    expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(asked))
  })

  it('is the same text on each generation', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document))
  })

  it('carries the version of the package', () => {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    expect(document.info.version).toBe((JSON.parse(manifest) as { version: string }).version)
  })

  it('says with data alone that an answer has no meta', () => {
    expect(operation('apps.getApp').responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            required: ['ok', 'data'],
            properties: { data: { $ref: '#/components/schemas/App' } },
          },
        },
      },
    })
  })

  it('refers to a named resource inside a list', () => {
    expect(JSON.stringify(operation('keys.listKeys').responses['200'])).toContain(
      '"data":{"type":"array","items":{"$ref":"#/components/schemas/ApiKey"}}',
    )
  })

  it('asks for the CSRF token where a session changes something', () => {
    expect(operation('apps.createApp').security).toEqual([
      { bearerAuth: [] },
      { sessionCookie: [], csrfToken: [] },
    ])
  })

  it('asks for no CSRF token where a session only reads', () => {
    expect(operation('apps.listApps').security).toContainEqual({ sessionCookie: [] })
  })

  it('lets a public endpoint be called without a credential', () => {
    expect(operation('auth.login').security).toEqual([])
  })

  it('shows the default and bounds of a query parameter', () => {
    expect(operation('apps.rotateAppKey').parameters).toContainEqual({
      name: 'graceHours',
      in: 'query',
      required: false,
      schema: { type: 'number', minimum: 0, maximum: 720, default: 24 },
    })
  })
})

describe('describeEndpoints', () => {
  const shape = { method: 'GET', path: '/api/one', summary: 'One', auth: 'public' } as const

  it('writes a nullable resource as the resource or null', () => {
    const one = endpoint({ ...shape, returns: data(closed({ app: nullable(App) })) })
    expect(JSON.stringify(describeEndpoints({ apps: { one } }).paths['/api/one'])).toContain(
      '"app":{"anyOf":[{"$ref":"#/components/schemas/App"},{"type":"null"}]}',
    )
  })

  it('puts the frame of a stream beside the text it arrives in', () => {
    const one = endpoint({ ...shape, returns: stream(Type.Array(App)) })
    const response = describeEndpoints({ apps: { one } }).paths['/api/one']?.get?.responses['200']
    expect(response).toMatchObject({
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    })
  })

  it('lists every media type that a body may have', () => {
    const one = endpoint({
      ...shape,
      method: 'POST',
      audit: false,
      body: Type.Unknown(),
      mediaTypes: ['application/json', 'application/yaml'],
      returns: data(App),
    })
    const body = describeEndpoints({ apps: { one } }).paths['/api/one']?.post?.requestBody
    expect(Object.keys(body?.content ?? {})).toEqual(['application/json', 'application/yaml'])
  })

  it('refuses two endpoints on one method and path', () => {
    const one = endpoint({ ...shape, returns: data(App) })
    expect(() => describeEndpoints({ apps: { one, two: one } })).toThrow('GET /api/one')
  })

  it('refuses an area that nobody described', () => {
    const one = endpoint({ ...shape, returns: data(App) })
    expect(() => describeEndpoints({ mystery: { one } })).toThrow('mystery')
  })
})
