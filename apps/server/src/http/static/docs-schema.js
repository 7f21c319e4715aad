/** Reads JSON Schema for people: rows of fields, and an example that the server would accept. */

export function resolve(schema, document) {
  if (typeof schema?.$ref !== 'string') return schema ?? {}
  const steps = schema.$ref.slice(2).split('/')
  return steps.reduce((value, step) => value?.[step], document) ?? {}
}

/** One row for each field at any depth: `{ name, type, required, notes }`. */
export function fieldRows(schema, document, prefix = '', depth = 0) {
  const whole = withoutNull(resolve(schema, document), document)
  if (depth > 8) return []
  if (whole.type === 'array') {
    return fieldRows(whole.items, document, `${prefix}[]`, depth + 1)
  }
  return Object.entries(whole.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const field = resolve(property, document)
    const row = {
      name,
      type: typeOf(property, document),
      required: whole.required?.includes(key) === true,
      notes: notesOf(withoutNull(field, document), field),
    }
    return [row, ...fieldRows(property, document, name, depth + 1)]
  })
}

export function typeOf(schema, document) {
  const field = resolve(schema, document)
  if (field.const !== undefined) return JSON.stringify(field.const)
  if (field.enum !== undefined) return field.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (field.anyOf !== undefined) return field.anyOf.map((one) => typeOf(one, document)).join(' | ')
  if (field.type === 'array') return `list of ${typeOf(field.items, document)}`
  if (Array.isArray(field.type)) return field.type.join(' | ')
  const name = /\/schemas\/(\w+)$/.exec(schema?.$ref ?? '')?.[1]
  return name ?? field.type ?? 'any value'
}

export function notesOf(field, whole = field) {
  const notes = [
    whole.description ?? field.description,
    bounds(field.minLength, field.maxLength, 'characters'),
    bounds(field.minItems, field.maxItems, 'entries'),
    bounds(field.minimum, field.maximum, ''),
    field.uniqueItems === true ? 'no entry twice' : undefined,
    field.format === undefined ? undefined : `format ${field.format}`,
    field.pattern === undefined || field.pattern === '\\S' ? undefined : `matches ${field.pattern}`,
    field.default === undefined ? undefined : `default ${JSON.stringify(field.default)}`,
  ]
  return notes.filter((note) => note !== undefined).join('; ')
}

function bounds(low, high, unit) {
  const tail = unit === '' ? '' : ` ${unit}`
  if (low === undefined && high === undefined) return undefined
  if (low === undefined) return `up to ${high}${tail}`
  return high === undefined ? `at least ${low}${tail}` : `${low} to ${high}${tail}`
}

/** The example holds what is required, or the first field where nothing is. */
export function exampleOf(schema, document, name = '', depth = 0) {
  const field = withoutNull(resolve(schema, document), document)
  if (field.const !== undefined) return field.const
  if (field.default !== undefined) return field.default
  if (field.enum !== undefined) return field.enum[0]
  const type = Array.isArray(field.type) ? field.type[0] : field.type
  if (type === 'object') return exampleObject(field, document, depth)
  if (type === 'array') return [exampleOf(field.items, document, name, depth + 1)]
  if (type === 'integer' || type === 'number') return field.minimum ?? 1
  if (type === 'boolean') return true
  return type === 'string' ? exampleText(field, name) : {}
}

function exampleObject(field, document, depth) {
  const names = Object.keys(field.properties ?? {})
  const required = names.filter((name) => field.required?.includes(name))
  const shown = required.length > 0 ? required : names.slice(0, 1)
  if (depth > 6) return {}
  return Object.fromEntries(
    shown.map((name) => [name, exampleOf(field.properties[name], document, name, depth + 1)]),
  )
}

function exampleText(field, name) {
  if (field.format === 'date-time') return '2030-01-01T00:00:00.000Z'
  if (/email/i.test(name)) return 'you@example.com'
  if (/password/i.test(name)) return 'correct horse battery staple'
  if (/repo/i.test(name)) return 'owner/repo'
  const prefix = /^\^([a-z]+_)/.exec(field.pattern ?? '')?.[1]
  return prefix === undefined ? (name === '' ? 'text' : `my ${name}`) : `${prefix}…`
}

/** A field that may be null is described by what it is when it is there. */
function withoutNull(field, document) {
  const others = field.anyOf?.filter((one) => one.type !== 'null')
  return others?.length === 1 ? resolve(others[0], document) : field
}
