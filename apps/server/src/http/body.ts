import { isUtf8 } from 'node:buffer'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { parse as parseSecurely } from 'secure-json-parse'
import { problem } from './problem.ts'
import { findUnstorable } from './validation.ts'

/** Reads JSON bodies for every door: encoding, prototype keys and storable text. */
export function readJsonBody(raw: Buffer): unknown {
  if (raw.length === 0) throw problem('invalid', 'The body is empty: a JSON body is required.')
  if (!isUtf8(raw)) throw problem('invalid', 'The body is not valid UTF-8.')
  const text = raw.toString('utf8')
  let value: unknown
  try {
    value = parseSecurely(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const poisoned = error instanceof SyntaxError && error.message.includes('forbidden prototype')
    throw problem(
      'invalid',
      poisoned
        ? 'The body must not contain the keys __proto__ or constructor.prototype.'
        : 'The body is not valid JSON.',
      { cause: error },
    )
  }
  // Only an escape can bring in a NUL or half a character, so most bodies are not walked.
  const unstorable = text.includes('\\u') ? findUnstorable(value) : undefined
  if (unstorable !== undefined) {
    throw problem(
      'invalid',
      `${unstorable === '' ? 'The body' : unstorable} contains a NUL or half a surrogate pair, which is not text.`,
    )
  }
  return value
}

export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  for (const mediaType of ['application/json', 'text/plain']) {
    app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (request, raw, done) => {
      try {
        done(null, readBody(request.routeOptions.config, mediaType, raw as Buffer))
      } catch (error) {
        done(error as Error)
      }
    })
  }
}

function readBody(route: FastifyContextConfig, mediaType: string, raw: Buffer): unknown {
  const taken = route.mediaTypes ?? ['application/json']
  if (!taken.includes(mediaType)) {
    throw problem('unsupported-media-type', `The Content-Type must be ${taken.join(' or ')}.`)
  }
  if (route.rawBody === true) return raw
  return raw.length === 0 ? undefined : readJsonBody(raw)
}
