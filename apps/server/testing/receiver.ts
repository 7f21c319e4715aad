import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SecurityEvent } from '@merlon/contract'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly id: string
    readonly type: string
    readonly appId: string
    readonly createdAt: string
    readonly events: readonly SecurityEvent[]
  }
}

export interface Receiver {
  readonly url: string
  /** Every call, also those that were answered with a failure. */
  readonly calls: Received[]
  /** What is answered from now on. */
  answer(status: number, headers?: Record<string, string>): void
  /** From now on, calls are taken and never answered. */
  answerNever(): void
  close(): Promise<void>
}

const NEVER = 0

/** Somebody's server on the other end of a webhook. */
export async function startReceiver(): Promise<Receiver> {
  const calls: Received[] = []
  let status = 200
  let headers: Record<string, string> = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      calls.push({ headers: request.headers, text, body: JSON.parse(text) as Received['body'] })
      if (status !== NEVER) response.writeHead(status, headers).end('thank you')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    answer(nextStatus, nextHeaders = {}) {
      status = nextStatus
      headers = nextHeaders
    },
    answerNever() {
      status = NEVER
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a receiver does to know that a call is ours, written without looking at our code. */
export function isSignedWith(secret: string, { headers, text }: Received): boolean {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
    String(headers['merlon-signature']),
  ) ?? ['', '', '']
  return hex === createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
}
