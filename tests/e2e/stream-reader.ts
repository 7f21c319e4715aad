import type { SecurityEvent } from '@merlon/contract'
import { ask } from '../../apps/server/testing/server-process.ts'
import { pause } from './numbered-events.ts'

/** Reads the live stream of an app as a browser does: after a break it goes on where it was. */
export class StreamReader {
  /** The ids of the events in the order they came, and the numbers in their payloads. */
  readonly ids: string[] = []
  readonly numbers: number[] = []
  connections = 0
  readonly #appId: string
  readonly #where: () => string
  #lastEventId: string | undefined
  #closing = new AbortController()
  #closed = false
  #running: Promise<void> = Promise.resolve()

  /** `where` answers the server to connect to; it is asked again for every connection. */
  constructor(appId: string, where: () => string) {
    this.#appId = appId
    this.#where = where
  }

  /** Settles once the first connection stands. */
  async start(): Promise<void> {
    await new Promise<void>((connected) => {
      this.#running = this.#keepReading(connected)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#closing.abort()
    await this.#running
  }

  async #keepReading(connected: () => void): Promise<void> {
    while (!this.#closed) {
      await this.#readOnce(connected).catch(() => undefined)
      if (!this.#closed) await pause(50)
    }
  }

  async #readOnce(connected: () => void): Promise<void> {
    const url = this.#where()
    const { data } = await ask<{ token: string }>(url, '/api/events/stream-token', {
      method: 'POST',
      body: { appId: this.#appId },
    })
    this.#closing = new AbortController()
    const reply = await fetch(
      `${url}/api/events/stream?appId=${this.#appId}&token=${encodeURIComponent(data.token)}`,
      {
        signal: this.#closing.signal,
        headers: this.#lastEventId === undefined ? {} : { 'last-event-id': this.#lastEventId },
      },
    )
    if (reply.status !== 200 || reply.body === null) throw new Error(`Status ${reply.status}`)
    this.connections++
    let text = ''
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      // A frame counts when it is whole: what a dying server left half-written never was.
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        if (this.#take(text.slice(0, end)) === 'connected') connected()
        text = text.slice(end + 2)
      }
    }
  }

  #take(frame: string): string | undefined {
    const fields = new Map(
      frame.split('\n').map((line) => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon), line.slice(colon + 2)] as const
      }),
    )
    this.#lastEventId = fields.get('id') ?? this.#lastEventId
    const name = fields.get('event')
    if (name !== 'events') return name
    for (const event of JSON.parse(fields.get('data') ?? '[]') as SecurityEvent[]) {
      this.ids.push(event.id)
      this.numbers.push((event.payload as { n: number }).n)
    }
    return name
  }
}
