import { brokenText, strangeName } from './broken-values.ts'
import type { Random } from './random.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface SchemaSource {
  readonly random: Random
  /** Resolves `#/components/schemas/X`. */
  readonly resolve: (reference: string) => Schema
  /** Ids that exist, such as `app_01…`. */
  readonly knownIds: readonly string[]
  /** How likely each part is to be broken. */
  readonly spoil: number
}

/** A JSON text for a schema: mostly what it asks for, sometimes something else. */
export function jsonTextFor(schema: Schema, source: SchemaSource, depth = 0): string {
  const { random, spoil } = source
  if (random.chance(spoil)) return brokenText(random)
  if (typeof schema['$ref'] === 'string')
    return jsonTextFor(source.resolve(schema['$ref']), source, depth)
  for (const union of ['anyOf', 'oneOf', 'allOf']) {
    const options = schema[union]
    if (Array.isArray(options)) return jsonTextFor(random.pick(options as Schema[]), source, depth)
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return JSON.stringify(random.pick(schema['enum']))
  const { type } = schema
  switch (Array.isArray(type) ? random.pick(type as string[]) : type) {
    case 'object':
      return objectText(schema, source, depth)
    case 'array':
      return arrayText(schema, source, depth)
    case 'string':
      return JSON.stringify(stringFor(schema, source))
    case 'integer':
    case 'number':
      return numberText(schema, random)
    case 'boolean':
      return random.pick(['true', 'false'])
    case 'null':
      return 'null'
    default:
      return depth > 3 ? '1' : brokenText(random)
  }
}

function objectText(schema: Schema, source: SchemaSource, depth: number): string {
  const { random, spoil } = source
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  const required = (schema['required'] ?? []) as string[]
  const fields = Object.entries(properties)
    .filter(([name]) => random.chance(required.includes(name) ? 1 - spoil / 2 : 0.5))
    .map(([name, one]) => `${JSON.stringify(name)}:${jsonTextFor(one, source, depth + 1)}`)
  if (random.chance(spoil))
    fields.push(`${JSON.stringify(strangeName(random))}:${brokenText(random)}`)
  if (random.chance(spoil / 4) && fields[0] !== undefined) fields.push(fields[0])
  return `{${fields.join(',')}}`
}

function arrayText(schema: Schema, source: SchemaSource, depth: number): string {
  const { random, spoil } = source
  const count = random.chance(spoil / 4) ? random.pick([201, 1_001]) : random.int(4)
  const items = (schema['items'] ?? {}) as Schema
  const texts = Array.from({ length: count }, () => jsonTextFor(items, source, depth + 1))
  return `[${texts.join(',')}]`
}

function numberText(schema: Schema, random: Random): string {
  const least = Number(schema['minimum'] ?? -1_000)
  const most = Number(schema['maximum'] ?? 1_000)
  const within = least + random.int(Math.min(most - least + 1, 2 ** 31))
  // The bounds themselves and their neighbours are where a comparison goes wrong.
  return String(random.pick([least, most, within, within, within, least - 1, most + 1]))
}

export function stringFor(schema: Schema, { random, knownIds }: SchemaSource): string {
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : ''
  const prefix = /^\^([a-z]+_)/.exec(pattern)?.[1]
  if (prefix !== undefined) return idFor(prefix, random, knownIds)
  if (schema['format'] === 'date-time')
    return new Date(Date.UTC(1990 + random.int(60), 0, 1, 0, 0, random.int(86_400))).toISOString()
  if (pattern.includes('@')) return `person-${random.int(1_000_000)}@example.test`
  // Nobody listens there, and nothing leaves the machine.
  if (pattern.includes('://')) return `http://127.0.0.1:9/${random.int(100)}`
  if (pattern.includes('/')) return `owner/repo-${random.int(100)}`
  const most = Number(schema['maxLength'] ?? 50)
  const length = random.pick([
    1,
    1 + random.int(20),
    Number(schema['minLength'] ?? 1),
    most,
    most + 1,
  ])
  return random.pick(['a', 'é', '漢', '😀', 'z']).repeat(length)
}

function idFor(prefix: string, random: Random, knownIds: readonly string[]): string {
  const known = knownIds.filter((id) => id.startsWith(prefix))
  if (known.length > 0 && random.chance(0.8)) return random.pick(known)
  // An id of the right shape that exists nowhere, made from the seed like everything else.
  return prefix + Array.from({ length: 26 }, () => random.int(8)).join('')
}
