import type { JsonSchema } from './document.ts'
import { isRecord } from './is-record.ts'

/** Replaces every schema that equals a named one by a reference to it, at any depth. */
export type NameSchemas = (schema: unknown) => JsonSchema

/**
 * Schemas are compared by what they say and not by identity, because a nullable or spread resource
 * is a new object in the table although it is the same thing to a reader of the document.
 */
export function schemaNamer(named: Readonly<Record<string, unknown>>): NameSchemas {
  const names = new Map(
    Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name] as const),
  )
  const nameAll: NameSchemas = (schema) => {
    const name = names.get(JSON.stringify(schema))
    if (name !== undefined) return reference(name)
    const bareName = names.get(textWithoutNull(schema))
    if (bareName !== undefined) return { anyOf: [reference(bareName), { type: 'null' }] }
    return nameInside(schema, nameAll)
  }
  return nameAll
}

/** The document's own copy of a named schema: itself spelled out, what is named in it referred to. */
export function namedSchemas(
  named: Readonly<Record<string, unknown>>,
  nameAll: NameSchemas,
): Record<string, JsonSchema> {
  const names = Object.keys(named).toSorted()
  return Object.fromEntries(names.map((name) => [name, nameInside(named[name], nameAll)]))
}

/** From everything a file exports to the schemas worth a name: objects and lists of words. */
export function schemasWorthAName(exported: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(exported).filter(
      ([, value]) =>
        isRecord(value) && ((value.type === 'object' && 'properties' in value) || 'enum' in value),
    ),
  )
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function nameInside(schema: unknown, nameAll: NameSchemas): JsonSchema {
  if (!isRecord(schema)) return {}
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, nameKeyword(key, value, nameAll)]),
  )
}

const mapsOfSchemas = new Set(['properties', 'patternProperties'])
const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const schemas = new Set(['items', 'additionalProperties', 'not'])

function nameKeyword(keyword: string, value: unknown, nameAll: NameSchemas): unknown {
  if (mapsOfSchemas.has(keyword) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, nameAll(item)]))
  }
  if (listsOfSchemas.has(keyword) && Array.isArray(value)) return value.map(nameAll)
  if (schemas.has(keyword) && isRecord(value)) return nameAll(value)
  return value
}

/** The text of the same schema with null taken out, or none when null was never allowed. */
function textWithoutNull(schema: unknown): string {
  if (!isRecord(schema) || !Array.isArray(schema.type)) return ''
  const [type, last, ...others] = schema.type as readonly unknown[]
  return last === 'null' && others.length === 0 ? JSON.stringify({ ...schema, type }) : ''
}
