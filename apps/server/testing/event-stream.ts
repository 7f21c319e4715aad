import { get, type IncomingMessage } from 'node:http'
import type { SecurityEvent } from '@merlon/contract'

export interface Frame {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

export interface EventStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly frames: readonly Frame[]
  /** Whether the server ended it. */
  readonly ended: boolean
  /** The events of all frames so far. */
  events(): SecurityEvent[]
  titles(): string[]
  /** The id that a browser would send to resume. */
  lastId(): string | undefined
  /** Until this many events have come. */
  until(count: number, timeoutMs?: number): Promise<void>
  untilEnded(timeoutMs?: number): Promise<void>
  /** Reads nothing more until `resume`, as a reader does whose line is too slow. */
  pause(): void
  resume(): void
  close(): void
}

/** Reads Server-Sent Events over a real connection, as a browser does. */
export async function openEventStream(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })
  const frames: Frame[] = []
  let rest = ''
  let ended = false
  let tell: () => void = () => undefined
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n\n')
    rest = parts.pop() ?? ''
    frames.push(...parts.map(parseFrame))
    tell()
  })
  response.on('error', () => undefined)
  response.on('close', () => {
    ended = true
    tell()
  })
  const events = (): SecurityEvent[] =>
    frames
      .filter((frame) => frame.event === 'events')
      .flatMap((frame) => JSON.parse(frame.data) as SecurityEvent[])
  const waitFor = async (what: string, isSo: () => boolean, timeoutMs: number): Promise<void> => {
    const until = Date.now() + timeoutMs
    while (!isSo()) {
      if (Date.now() > until) throw new Error(`The stream does not come to ${what}.`)
      await new Promise<void>((resolve) => {
        tell = resolve
        setTimeout(resolve, 100)
      })
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    get ended() {
      return ended
    },
    events,
    titles: () => events().map((event) => event.title),
    lastId: () => frames.findLast((frame) => frame.id !== undefined)?.id,
    until: (count, timeoutMs = 20_000) =>
      waitFor(`${count} events`, () => events().length >= count, timeoutMs),
    untilEnded: (timeoutMs = 20_000) => waitFor('its end', () => ended, timeoutMs),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  }
}

function parseFrame(text: string): Frame {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const at = line.indexOf(': ')
    fields.set(line.slice(0, at), line.slice(at + 2))
  }
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: fields.get('data') ?? '',
  }
}
