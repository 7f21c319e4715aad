import { isIP } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import {
  guardedLookup,
  hostOf,
  refusalOfUrl,
  requireAllowed,
  resolveWithSystem,
  type GuardOptions,
  type ResolveName,
} from './address-guard.ts'
import { readStart } from './bounded-body.ts'
import { describeFailure, SendError } from './send-error.ts'

export interface SenderOptions extends GuardOptions {
  readonly resolve?: ResolveName
  readonly connectTimeoutMs?: number
  /** For one request, from the first look-up to the last byte that is read. */
  readonly totalTimeoutMs?: number
  readonly requestBytesMax?: number
  /** How much of an answer is kept; the rest is not read. */
  readonly responseBytesMax?: number
  /** Whether a connection serves several requests. An idle one may be closed just as it is used. */
  readonly keepAlive?: boolean
}

export interface OutgoingRequest {
  readonly method: Dispatcher.HttpMethod
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

export interface IncomingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Whether there was more than what was kept. */
  readonly truncated: boolean
}

export interface Sender {
  /** Never follows a redirect: whoever wants to asks again, and passes the guard again. */
  send(request: OutgoingRequest): Promise<IncomingAnswer>
  close(): Promise<void>
}

const MEBIBYTE = 1024 * 1024

/** Calls addresses that strangers gave, and only those that strangers may name. */
export function createSender(options: SenderOptions): Sender {
  const {
    totalTimeoutMs = 10_000,
    requestBytesMax = 4 * MEBIBYTE,
    responseBytesMax = 4_096,
  } = options
  const agent = new Agent({
    connect: guardedConnector(options),
    // 0 closes the connection after each request.
    pipelining: options.keepAlive === true ? 1 : 0,
    headersTimeout: totalTimeoutMs,
    bodyTimeout: totalTimeoutMs,
  })

  async function send(request: OutgoingRequest): Promise<IncomingAnswer> {
    const refusal = refusalOfUrl(request.url, options)
    if (refusal !== undefined) throw new SendError('refused', `The address ${refusal}`)
    const bytes = request.body === undefined ? 0 : Buffer.byteLength(request.body)
    if (bytes > requestBytesMax) {
      throw new SendError(
        'refused',
        `The body has ${bytes} bytes; at most ${requestBytesMax} are sent.`,
      )
    }
    const deadline = AbortSignal.timeout(totalTimeoutMs)
    const signal =
      request.signal === undefined ? deadline : AbortSignal.any([request.signal, deadline])
    try {
      return await untilAborted(signal, exchange(request, signal))
    } catch (error) {
      if (request.signal?.aborted === true) throw error
      if (deadline.aborted) {
        throw new SendError('timeout', `There was no answer within ${totalTimeoutMs / 1_000} s.`)
      }
      throw describeFailure(error)
    }
  }

  async function exchange(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingAnswer> {
    const url = new URL(request.url)
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal,
    })
    const { bytes, truncated } = await readStart(answer.body, responseBytesMax)
    return { status: answer.statusCode, headers: answer.headers, body: bytes, truncated }
  }

  return { send, close: () => agent.destroy() }
}

/** An address that stands in the URL itself never passes a look-up, so it is checked here. */
function guardedConnector(options: SenderOptions): buildConnector.connector {
  const { resolve = resolveWithSystem, connectTimeoutMs = 5_000 } = options
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(options, resolve),
  } as buildConnector.BuildOptions)
  return (target, callback) => {
    const host = hostOf(target.hostname)
    try {
      if (isIP(host) !== 0) requireAllowed(host, host, options)
    } catch (error) {
      return callback(error as Error, null)
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      try {
        // Whatever way led here: the other end itself has the last word.
        requireAllowed(host, socket.remoteAddress ?? '', options)
        callback(null, socket)
      } catch (refused) {
        socket.destroy()
        callback(refused as Error, null)
      }
    })
  }
}

/** The library notices an abort only once it is connected; a name may take longer to resolve. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
