import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '@merlon/contract'
import type { FuzzOperation } from './operations.ts'
import type { FuzzRequest } from './requests.ts'
import type { FuzzAnswer } from './send.ts'

/** Traces of our insides, none of which may reach a caller. */
const INSIDES =
  /\bat \S+ \(|node_modules|\.ts:\d|\.mjs:\d|\b(select|insert into|delete from) .*\b(from|values|where)\b|syntax error at|violates|relation "|column "|postgres|kysely|fastify|FST_|TypeError|RangeError|\[object |\bundefined\b/i

/** What an address that stands in no document may answer: it is unreadable, unknown or of another method. */
const STRAY = [400, 404, 405, 413, 415]

/** Names everything that is wrong with an answer. */
export function createVerdict(document: OpenApiDocument, operations: readonly FuzzOperation[]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  const shapes = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }))

  const meant = (request: FuzzRequest): FuzzOperation | undefined => {
    const path = request.path.split('?')[0] ?? ''
    const method = request.method === 'HEAD' ? 'GET' : request.method
    return shapes.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(path),
    )?.operation
  }

  const schemaComplaint = (operation: FuzzOperation, answer: FuzzAnswer, body: unknown) => {
    const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses']
    const pointer = [...place, String(answer.status), 'content', 'application/json', 'schema']
    const reference = `document#/${pointer.map(escapePointer).join('/')}`
    const validate = validators.get(reference) ?? ajv.compile({ $ref: reference })
    validators.set(reference, validate)
    return validate(body) ? [] : [`the body breaks its schema: ${ajv.errorsText(validate.errors)}`]
  }

  return (request: FuzzRequest, answer: FuzzAnswer): readonly string[] => {
    const operation = meant(request)
    const complaints: string[] = []
    if (answer.status >= 500) complaints.push(`the status is ${answer.status}`)
    if (!(operation?.statuses ?? STRAY).includes(answer.status))
      complaints.push(
        `${answer.status} is not documented for ${operation?.id ?? 'such an address'}`,
      )
    if (!/^req_\w{26}$/.test(answer.requestId)) complaints.push('X-Request-Id is missing')
    if (request.method === 'HEAD' || answer.streamed) return complaints
    const isPage = operation !== undefined && answer.status === 200 && !answer.isJson
    if (isPage) return complaints
    if (!answer.isJson) return [...complaints, 'the answer is no JSON']
    const body = parse(answer.text)
    if (body === undefined) return [...complaints, 'the body is no JSON']
    if (answer.status >= 400) return [...complaints, ...failureComplaints(body)]
    return operation === undefined
      ? complaints
      : [...complaints, ...schemaComplaint(operation, answer, body)]
  }
}

function failureComplaints(body: unknown): readonly string[] {
  const { ok, error, ...more } = body as { ok?: unknown; error?: unknown }
  if (ok !== false || typeof error !== 'string' || error === '' || Object.keys(more).length > 0)
    return ['the failure is not in its envelope']
  return INSIDES.test(error) ? ['the sentence tells of our insides'] : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
