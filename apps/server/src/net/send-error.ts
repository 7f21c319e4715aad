import { AddressRefused } from './address-guard.ts'

export type SendFailure = 'refused' | 'timeout' | 'network'

/** A request that got no answer. The message is a sentence for the person who gave the address. */
export class SendError extends Error {
  override readonly name = 'SendError'
  readonly kind: SendFailure

  constructor(kind: SendFailure, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.kind = kind
  }
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection was not made in time.',
  UND_ERR_HEADERS_TIMEOUT: 'There was no answer in time.',
  UND_ERR_BODY_TIMEOUT: 'The answer stopped half-way.',
  UND_ERR_SOCKET: 'The connection was cut.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
}
const timeouts = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** Names what went wrong, without the machine's own names for it. */
export function describeFailure(error: unknown): SendError {
  if (error instanceof SendError) return error
  if (error instanceof AddressRefused) return new SendError('refused', error.message)
  const code = codeOf(error)
  const known = sentences[code]
  const kind = timeouts.has(code) ? 'timeout' : 'network'
  if (known !== undefined) return new SendError(kind, known, { cause: error })
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code)) {
    return new SendError('network', `The TLS connection failed (${code}).`, { cause: error })
  }
  if (code.startsWith('HPE_')) {
    return new SendError('network', 'The answer is not HTTP.', { cause: error })
  }
  const shown = code === '' ? '' : ` (${code})`
  return new SendError('network', `The request failed${shown}.`, { cause: error })
}

/** With several addresses tried, the last failure speaks for all. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors.at(-1))
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
