import type { FastifySchemaValidationError } from 'fastify'

/** One sentence for one failed check: which field, what would be right. */
export function explain(errors: readonly FastifySchemaValidationError[], where: string): string {
  const error = mostTelling(errors)
  if (error === undefined) return `The ${where} is not valid.`
  const { params } = error
  const field = fieldName(error.instancePath, where)
  switch (error.keyword) {
    case 'additionalProperties':
      return `${join(field, String(params['additionalProperty']), where)} is not a known field.`
    case 'required':
      return `${join(field, String(params['missingProperty']), where)} is required.`
    case 'type':
      return `${field} must be ${article(String(params['type']))}.`
    case 'minLength':
      return params['limit'] === 1
        ? `${field} must not be empty.`
        : `${field} must have at least ${String(params['limit'])} characters.`
    case 'maxLength':
      return `${field} must have at most ${String(params['limit'])} characters.`
    case 'minimum':
      return `${field} must be at least ${String(params['limit'])}.`
    case 'maximum':
      return `${field} must be at most ${String(params['limit'])}.`
    case 'minItems':
      return `${field} must have at least ${String(params['limit'])} entries.`
    case 'maxItems':
      return `${field} must have at most ${String(params['limit'])} entries.`
    case 'uniqueItems':
      return `${field} must not name the same value twice.`
    case 'enum':
      return `${field} must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}.`
    case 'format':
      return `${field} must be ${formatName(String(params['format']))}.`
    case 'pattern':
      return `${field} ${patternName(String(params['pattern']))}.`
    default:
      return `${field} is not valid: it ${error.message ?? 'fails a check'}.`
  }
}

/** An unknown or missing field tells more than the branches of a union that failed because of it. */
function mostTelling(errors: readonly FastifySchemaValidationError[]) {
  return (
    errors.find((e) => e.keyword === 'additionalProperties') ??
    errors.find((e) => e.keyword === 'required') ??
    errors[0]
  )
}

function fieldName(instancePath: string, where: string): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => clip(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join('.')
  return path === '' ? `The ${where}` : path
}

function join(field: string, name: string, where: string): string {
  return field === `The ${where}` ? clip(name) : `${field}.${clip(name)}`
}

/** What the caller sent is quoted back bounded: an error must not be longer than its cause. */
function clip(name: string): string {
  // 122 code units hold at least 61 characters, and a cut between units could halve the last.
  const characters = Array.from(name.slice(0, 122))
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : name
}

function article(type: string): string {
  const names: Record<string, string> = {
    string: 'a string',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    object: 'a JSON object',
    array: 'a list',
    null: 'null',
  }
  return type
    .split(',')
    .map((one) => names[one] ?? one)
    .join(' or ')
}

function formatName(format: string): string {
  return format === 'date-time'
    ? 'a date and time such as 2026-01-31T12:00:00Z'
    : `a valid ${format}`
}

function patternName(pattern: string): string {
  const id = /^\^([a-z]+_)\[0-7\]/.exec(pattern)
  if (id !== null) return `must be an id that begins with ${id[1] ?? ''}`
  if (pattern === '\\S') return 'must contain a visible character'
  if (pattern.includes('@')) return 'must be an e-mail address'
  if (pattern.includes('/')) return 'must have the form owner/repo'
  return `must match ${pattern}`
}
