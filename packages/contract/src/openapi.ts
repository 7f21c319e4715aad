import { areaDescriptions } from './openapi/areas.ts'
import { ErrorEnvelope, failureResponses, headers } from './openapi/answers.ts'
import type { OpenApiDocument, Operation, PathItem } from './openapi/document.ts'
import { operationOf, type DocumentedEndpoint } from './openapi/operation.ts'
import { namedSchemas, schemaNamer, schemasWorthAName } from './openapi/schemas.ts'
import { securitySchemes } from './openapi/security.ts'
import { systemPaths } from './openapi/system-paths.ts'
import * as resources from './resources.ts'
import { CountMeta, CursorMeta } from './shapes.ts'

const VERSION = '0.1.0'

const ABOUT = `Every answer is \`{ "ok": true, "data": … }\` (lists add \`meta\`) or \
\`{ "ok": false, "error": "a sentence" }\`, and carries \`X-Request-Id\`.

Unknown query parameters are ignored; an unknown field in a body is refused with 400 that names it. \
\`PATCH\` merges: an absent field is kept, \`null\` clears an optional one. Times are UTC, ISO 8601 \
with milliseconds. Checks happen in this order: rate limit, credential, input, existence, \
ownership, plan, state.`

export type EndpointAreas = Readonly<Record<string, Readonly<Record<string, DocumentedEndpoint>>>>

/** OpenAPI 3.1 for a table of endpoints. The same table gives the same text, byte for byte. */
export function describeEndpoints(areas: EndpointAreas): OpenApiDocument {
  const named = schemasWorthAName({ ...resources, CountMeta, CursorMeta })
  const nameAll = schemaNamer(named)
  const operations = Object.entries(areas).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      path: pathTemplate(endpoint.path),
      method: endpoint.method.toLowerCase(),
      operation: operationOf(area, name, endpoint, nameAll),
    })),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merlon',
      version: VERSION,
      summary: 'Self-hosted application security platform',
      description: ABOUT,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document came from' }],
    tags: tagsOf([...Object.keys(areas), 'system']),
    paths: { ...pathsOf(operations), ...systemPaths },
    components: {
      schemas: { Error: ErrorEnvelope, ...namedSchemas(named, nameAll) },
      responses: failureResponses,
      headers,
      securitySchemes,
    },
  }
}

interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

const methodOrder = ['get', 'post', 'put', 'patch', 'delete']

function pathsOf(operations: readonly PlacedOperation[]): Record<string, PathItem> {
  const sorted = operations.toSorted(
    (a, b) =>
      compare(a.path, b.path) || methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method),
  )
  const paths: Record<string, PathItem> = {}
  for (const { path, method, operation } of sorted) {
    if (paths[path] && method in paths[path]) {
      throw new Error(`Two endpoints share ${method.toUpperCase()} ${path}`)
    }
    paths[path] = { ...paths[path], [method]: operation }
  }
  return paths
}

function tagsOf(areas: readonly string[]): OpenApiDocument['tags'] {
  return areas.toSorted(compare).map((name) => {
    const description = areaDescriptions[name]
    if (description === undefined) {
      throw new Error(`The area ${name} needs a sentence in openapi/areas.ts`)
    }
    return { name, description }
  })
}

function pathTemplate(path: string): string {
  return path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
}

/** By code unit, so that the order does not depend on the machine's language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
