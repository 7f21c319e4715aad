import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'

const strict = new Ajv({
  allErrors: false,
  useDefaults: true,
  strict: false,
  allowUnionTypes: true,
})
/** A query and a path are always text, so numbers and booleans in them are read from text. */
const fromText = new Ajv({
  allErrors: false,
  useDefaults: true,
  coerceTypes: true,
  strict: false,
  allowUnionTypes: true,
})
addFormats.default(strict, ['date-time'])
addFormats.default(fromText, ['date-time'])

export const compileValidator: FastifySchemaCompiler<object> = ({
  schema,
  httpPart,
}): ValidateFunction => (httpPart === 'body' ? strict.compile(schema) : fromText.compile(schema))

/** A check for a part of a body that a handler reads by itself. */
export function compileBodyCheck(schema: object): ValidateFunction {
  return strict.compile(schema)
}

/** Read by whole characters, what is left of a surrogate is one without its partner. */
const HALF_CHARACTER = /\p{Surrogate}/u

/** PostgreSQL keeps no NUL in text, and half a surrogate pair is no character at all. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !HALF_CHARACTER.test(text)
}

const DEPTH_MAX = 64

/**
 * The name of the first string, or field name, that cannot be stored; undefined when all can. What
 * is nested deeper than any field of ours is not looked at: the schema refuses it.
 */
export function findUnstorable(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : path
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return undefined
  for (const [name, field] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`
    if (!isStorableText(name)) return path === '' ? 'a field name' : `a field name in ${path}`
    const found = findUnstorable(field, here, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
