import { gzipSync } from 'node:zlib'
import { credentialFor, type Actor, type Headers } from './actors.ts'
import { brokenText, strangeName } from './broken-values.ts'
import type { FuzzOperation } from './operations.ts'
import type { Random } from './random.ts'
import { jsonTextFor, stringFor, type Schema, type SchemaSource } from './schema-text.ts'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer | undefined
}

export interface RequestSource {
  readonly random: Random
  readonly resolve: (reference: string) => Schema
  readonly actor: Actor
  readonly operatorKey: string
}

/** More would break the limit of the head, which no operation answers for itself. */
const QUERY_CHARACTERS_MAX = 8_000
const TWO_MEBIBYTES = 2 * 1024 * 1024

/** One request to an operation of the document: valid as far as it goes, and then bent. */
export function makeRequest(operation: FuzzOperation, source: RequestSource): FuzzRequest {
  const { random, resolve, actor, operatorKey } = source
  // A third of the requests is not spoiled at all: they must get past the first check.
  const spoil = random.chance(0.33) ? 0 : random.pick([0.05, 0.2, 0.5])
  const values: SchemaSource = { random, resolve, knownIds: actor.knownIds, spoil }
  const credential = credentialFor(operation.auth, actor, operatorKey, random)
  const method = random.chance(0.03)
    ? random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])
    : operation.method
  const { body, headers } = bodyFor(operation, values)
  // The key of a stream stands in its query.
  const opened = operation.auth === 'stream' && spoil === 0 ? actor.streamQuery : undefined
  return {
    method,
    path: pathFor(operation, values) + (opened ?? queryFor(operation, values)),
    headers: { ...headers, ...credential },
    body,
  }
}

function pathFor(operation: FuzzOperation, source: SchemaSource): string {
  const { random, spoil } = source
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    if (random.chance(spoil)) return brokenSegment(random)
    const parameter = operation.pathParameters.find((one) => one.name === name)
    return encodeURIComponent(stringFor(parameter?.schema ?? {}, source))
  })
  if (!random.chance(spoil / 10)) return path
  return path + random.pick(['/', '//', '/..', '/%2e%2e', '%', '/x', '%00', ';a=b', '/__proto__'])
}

function brokenSegment(random: Random): string {
  return random.pick([
    '%',
    '%zz',
    '%c3%28',
    '%00',
    '%ed%a0%80',
    '%F0%9F%98%80',
    '..',
    '%2e%2e',
    '%2f',
    'a%2fb',
    ':id',
    '*',
    '0',
    'null',
    '__proto__',
    'constructor',
    'x'.repeat(201),
    'x'.repeat(3_000),
    encodeURIComponent('"><script>'),
    '\xff',
  ])
}

function queryFor(operation: FuzzOperation, source: SchemaSource): string {
  const { random, spoil } = source
  const pairs = operation.queryParameters
    .filter(({ required }) => random.chance(required ? 1 - spoil / 2 : 0.5))
    .flatMap(({ name, schema }) => {
      const pair = `${name}=${queryValue(schema, source)}`
      return random.chance(spoil / 4) ? [pair, pair] : [pair]
    })
  if (random.chance(spoil / 2)) {
    const strange = wellFormed(strangeName(random)).slice(0, 100)
    pairs.push(`${encodeURIComponent(strange)}=${queryValue({}, source)}`)
  }
  if (random.chance(spoil / 20)) pairs.push(...Array.from({ length: 1_000 }, () => 'a=1'))
  return pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, QUERY_CHARACTERS_MAX)}`
}

function queryValue(schema: Schema, source: SchemaSource): string {
  const { random, spoil } = source
  if (random.chance(spoil / 2))
    return random.pick(['', '%', '%zz', '%00', '%ed%a0%80', '+', '%26', 'a'.repeat(5_000), '[]'])
  const text = jsonTextFor(schema, source).slice(0, 5_000)
  const bare = text.startsWith('"') ? text.slice(1, -1) : text
  return encodeURIComponent(wellFormed(bare))
}

/** A lone surrogate cannot be percent-encoded; it becomes the replacement character, as in a browser. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

type BodyPart = Pick<FuzzRequest, 'body' | 'headers'>

function bodyFor(operation: FuzzOperation, source: SchemaSource): BodyPart {
  const { random, spoil } = source
  const { bodySchema } = operation
  if (bodySchema === undefined) {
    return random.chance(spoil / 2) ? asJson(brokenText(random)) : { body: undefined, headers: {} }
  }
  const text = jsonTextFor(bodySchema, source)
  return random.chance(spoil / 2) ? brokenBody(text, random) : asJson(text)
}

function asJson(text: string, type = 'application/json'): BodyPart {
  // Half a surrogate pair in the text itself becomes bytes that are no UTF-8.
  return { body: Buffer.from(text, 'utf8'), headers: { 'content-type': type } }
}

function brokenBody(text: string, random: Random): BodyPart {
  const json = { 'content-type': 'application/json' }
  const bytes = Buffer.from(text, 'utf8')
  return random.pick<() => BodyPart>([
    () => ({ body: undefined, headers: json }),
    () => ({ body: Buffer.alloc(0), headers: json }),
    () => ({ body: bytes, headers: {} }),
    () => ({ body: bytes.subarray(0, random.int(bytes.length)), headers: json }),
    () => ({ body: Buffer.concat([bytes, Buffer.from('}')]), headers: json }),
    () => ({ body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]), headers: json }),
    () => ({ body: Buffer.from([0x22, 0xc3, 0x28, 0x22]), headers: json }),
    () => ({ body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), headers: json }),
    () => ({ body: Buffer.from(text, 'utf16le'), headers: json }),
    () => ({ body: gzipSync(bytes), headers: { ...json, 'content-encoding': 'gzip' } }),
    () => ({ body: bytes, headers: { ...json, 'content-encoding': 'gzip' } }),
    () => ({ body: bytes, headers: { ...json, 'content-encoding': 'br, gzip, nonsense' } }),
    () => ({ body: bytes, headers: { ...json, 'transfer-encoding': 'chunked' } }),
    () => asJson(text, random.pick(mediaTypes)),
    () => asJson(text.replaceAll('"', "'")),
    () => asJson(brokenText(random)),
    () => (random.chance(0.05) ? asJson(`"${'a'.repeat(TWO_MEBIBYTES)}"`) : asJson('undefined')),
  ])()
}

const mediaTypes: readonly string[] = [
  'text/plain',
  'text/html; charset=utf-8',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;;;',
  'APPLICATION/JSON',
  'application/jsonx',
  'application/merge-patch+json',
  'application/json, text/plain',
  '*/*',
  '/',
  'application/octet-stream',
]
