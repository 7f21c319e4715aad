import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { FuzzRequest } from './requests.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly requestId: string
  readonly isJson: boolean
  readonly text: string
  /** The answer is a stream, which was left after its head. */
  readonly streamed: boolean
}

/** Over a real connection, byte for byte. */
export async function sendOverHttp(
  port: number,
  agent: Agent,
  { method, path, headers, body }: FuzzRequest,
): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: lengthOf(body, headers),
        timeout: 30_000,
      },
      (incoming) => void readAnswer(incoming).then(resolve, reject),
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error('The server did not answer')))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function lengthOf(body: Buffer | undefined, headers: FuzzRequest['headers']) {
  if (body === undefined || 'transfer-encoding' in headers) return headers
  return { ...headers, 'content-length': String(body.length) }
}

async function readAnswer(incoming: IncomingMessage): Promise<FuzzAnswer> {
  const type = String(incoming.headers['content-type'])
  const head = {
    status: incoming.statusCode ?? 0,
    requestId: String(incoming.headers['x-request-id'] ?? ''),
    isJson: type.startsWith('application/json'),
  }
  if (type.startsWith('text/event-stream')) {
    incoming.destroy()
    return { ...head, text: '', streamed: true }
  }
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return { ...head, text: Buffer.concat(chunks).toString('utf8'), streamed: false }
}

/** Straight into the router, where no HTTP parser has looked at the request before. */
export async function sendByInject(
  server: FastifyInstance,
  { method, path, headers, body }: FuzzRequest,
): Promise<FuzzAnswer> {
  const raw = await server.inject({
    method: method as InjectOptions['method'] & string,
    url: path,
    headers: { ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return {
    status: raw.statusCode,
    requestId: String(raw.headers['x-request-id'] ?? ''),
    isJson: String(raw.headers['content-type']).startsWith('application/json'),
    text: raw.body,
    streamed: false,
  }
}
