import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestPostgres } from './postgres.global.ts'

export interface CuttableProxy {
  readonly connection: TestPostgres
  /** Ends every connection and refuses new ones until `mend`. */
  cut(): void
  /** Keeps every connection and lets nothing pass until `mend`, as a lost route does. */
  swallow(): void
  /** Nothing passes and nothing is lost until `mend`: a database that hangs, or a disk that does. */
  stall(): void
  mend(): void
  close(): Promise<void>
}

/** A way to PostgreSQL that a test can interrupt. */
export async function createCuttableProxy(postgres: TestPostgres): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'swallowing' | 'stalled' = 'open'
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = postgres.host.startsWith('/')
      ? connect(`${postgres.host}/.s.PGSQL.${postgres.port}`)
      : connect(postgres.port, postgres.host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => state !== 'swallowing' && to.write(bytes))
      if (state === 'stalled') from.pause()
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    connection: { ...postgres, host: '127.0.0.1', port },
    cut() {
      state = 'cut'
      destroyAll()
    },
    swallow() {
      state = 'swallowing'
    },
    stall() {
      state = 'stalled'
      for (const socket of sockets) socket.pause()
    },
    mend() {
      // What was swallowed is missing from those streams for good.
      if (state === 'swallowing') destroyAll()
      if (state === 'stalled') for (const socket of sockets) socket.resume()
      state = 'open'
    },
    async close() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
