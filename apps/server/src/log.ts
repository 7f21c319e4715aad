import pino, { type DestinationStream } from 'pino'
import type { FastifyBaseLogger } from 'fastify'

/** Structured lines. Whatever carries a secret is cut out by name, wherever it stands. */
export function createLog(level: string, destination?: DestinationStream): FastifyBaseLogger {
  const secrets = [
    'apiKey',
    'authorization',
    'cookie',
    'password',
    'newPassword',
    'currentPassword',
    'secret',
    'token',
    'x-api-key',
  ]
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: pino.stdSerializers.err },
  }
  return pino(options, destination ?? bufferedOutput())
}

/** Lines leave in handfuls, at the latest after a moment: one system call per request would cost more than its line. */
function bufferedOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: 8_192, periodicFlush: 200 })
}
