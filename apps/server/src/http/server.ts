import { createId } from '@merlon/base'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'

import type { Config } from '../config.ts'
import { isUnreachable } from '../db/unreachable.ts'
import { registerBodyParsers } from './body.ts'
import { failure } from './envelope.ts'
import { explain } from './explain.ts'
import type { Metrics } from './metrics.ts'
import { Problem, problem } from './problem.ts'
import { compileValidator } from './validation.ts'

const BODY_BYTES_MAX = 1024 * 1024
const HEADER_BYTES_MAX = 16 * 1024
const URL_PARAMETER_MAX = 200

export interface ServerDeps {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly now: () => number
}

/** The empty house: limits, headers, logs and error answers, but no door yet. */
export function createServer({ config, log, metrics, now }: ServerDeps): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    // We log one line of our own for each answer.
    logController: new LogController({ disableRequestLogging: true }),
    // Our lines name their request themselves, so no request needs a logger of its own.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: config.trustProxy,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // While stopping, what still comes in over an open connection is answered like any other call.
    return503OnClosing: false,
    genReqId: () => createId('request', now()),
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    routerOptions: { maxParamLength: URL_PARAMETER_MAX, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      reply.code(400 as never).headers({ ...securityHeaders, 'x-request-id': request.id })
      void reply.send(failure(frameworkSentence(error)) as never)
    },
    // What is not even HTTP gets the envelope too, and the connection is closed.
    clientErrorHandler(error, socket) {
      if (!socket.writable) return
      const [status, sentence] = clientErrors[error.code ?? ''] ?? [
        '400 Bad Request',
        'The request is not valid HTTP.',
      ]
      const body = JSON.stringify(failure(sentence))
      const headers = {
        ...securityHeaders,
        'x-request-id': createId('request', now()),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
    },
  })
  app.decorateRequest('caller', undefined)
  app.setValidatorCompiler(compileValidator)
  app.setSchemaErrorFormatter((errors, where) =>
    problem('invalid', explain(errors, partName(where))),
  )
  registerBodyParsers(app)
  const everyAnswer =
    config.publicUrl?.startsWith('https:') === true
      ? { ...securityHeaders, ...transportHeader }
      : securityHeaders
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer).header('x-request-id', request.id)
    done()
  })
  // The line of an answer holds no secret, so that nothing has to be looked for in it.
  const answers = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime)
    // The path pattern, never the address itself: a query may carry a token.
    answers[levelOf(request, reply.statusCode)](
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        caller: callerName(request),
      },
      'request',
    )
    done()
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const told = toProblem(error)
    if (told.status >= 500) log.error({ requestId: request.id, err: error }, 'request failed')
    else if (told.cause !== undefined)
      log.debug({ requestId: request.id, err: told.cause }, 'request refused')
    return reply.code(told.status).headers(told.headers).send(failure(told.message))
  })
  return app
}

const clientErrors: Record<string, readonly [string, string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `The headers are larger than ${HEADER_BYTES_MAX} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

const transportHeader = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

function partName(where: string): string {
  if (where === 'querystring') return 'query'
  return where === 'params' ? 'path' : where
}

function frameworkSentence(error: FastifyError): string {
  return error.code === 'FST_ERR_BAD_URL'
    ? 'The address contains an invalid % sequence.'
    : 'The request cannot be read.'
}

/** Fastify's own refusals in our words; whatever else is thrown is our fault and says nothing. */
export function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error
  if (isUnreachable(error)) {
    return problem('unavailable', 'The database cannot be reached. Try again in a moment.', {
      cause: error,
      headers: { 'retry-after': '1' },
    })
  }
  const code = 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('too-large', 'The body is larger than the 1 MiB that this call takes.', {
        cause: error,
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('unsupported-media-type', 'The Content-Type must be application/json.', {
        cause: error,
      })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problem('invalid', 'The body is not as long as Content-Length says.', { cause: error })
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return problem('invalid', 'The body is empty: a JSON body is required.', { cause: error })
    default:
      return 'statusCode' in error && error.statusCode !== undefined && error.statusCode < 500
        ? problem('invalid', 'The request cannot be read.', { cause: error })
        : problem(
            'internal',
            'Something went wrong on our side. The X-Request-Id header finds it in the log.',
            { cause: error },
          )
  }
}

/** Events come by the thousand, and each is on record by itself: only what goes wrong there is worth a line. */
function levelOf(request: FastifyRequest, status: number): 'info' | 'debug' {
  return request.routeOptions.config.quiet === true && status < 400 ? 'debug' : 'info'
}

function callerName(request: FastifyRequest): string | undefined {
  const { caller } = request
  if (caller === undefined) return undefined
  return caller.kind === 'app' ? caller.appId : (caller.keyId ?? caller.userId)
}
