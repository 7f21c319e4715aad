import { connect, type Socket } from 'node:net'

const OPENING_AT_ONCE = 100

/** Many readers in one process, as cheap as can be: each only notes when a text came by. */
export class StreamClients {
  readonly #sockets: Socket[] = []
  #awaited = ''
  #seen = new Set<Socket>()
  #arrivals: number[] = []
  #done: (() => void) | undefined

  /** Opens `count` connections; one stands when the server has said its first word. */
  async open(options: {
    readonly port: number
    readonly count: number
    readonly request?: () => Promise<string>
  }): Promise<void> {
    const { port, count, request } = options
    for (let at = 0; at < count; at += OPENING_AT_ONCE) {
      const text = await request?.()
      const size = Math.min(OPENING_AT_ONCE, count - at)
      await Promise.all(Array.from({ length: size }, async () => this.#openOne(port, text)))
    }
  }

  async #openOne(port: number, request: string | undefined): Promise<void> {
    await new Promise<void>((settle, fail) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        if (request !== undefined) socket.write(request)
      })
      socket.on('data', (bytes) => {
        if (bytes.includes('event: connected')) settle()
        if (this.#awaited !== '' && bytes.includes(this.#awaited)) this.#arrived(socket)
      })
      socket.on('error', fail)
      socket.on('close', () => fail(new Error('The server closed a stream.')))
      this.#sockets.push(socket)
    })
  }

  #arrived(socket: Socket): void {
    if (this.#seen.has(socket)) return
    this.#seen.add(socket)
    this.#arrivals.push(performance.now())
    if (this.#seen.size === this.#sockets.length) this.#done?.()
  }

  /** Milliseconds from `send` until each connection had the text, in order; fewer when some never had. */
  async timesOf(text: string, send: () => unknown, maxMs: number): Promise<readonly number[]> {
    this.#awaited = text
    this.#seen = new Set()
    this.#arrivals = []
    let timer: NodeJS.Timeout | undefined
    const all = new Promise<void>((settle) => {
      this.#done = settle
      timer = setTimeout(settle, maxMs)
    })
    const started = performance.now()
    await send()
    await all
    clearTimeout(timer)
    return this.#arrivals.map((at) => at - started)
  }

  close(): void {
    for (const socket of this.#sockets) socket.removeAllListeners('close').destroy()
  }
}
