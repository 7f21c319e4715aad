import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestPostgres } from '../../apps/server/testing/postgres.global.ts'

export interface StallableProxy {
  readonly connection: TestPostgres
  /** Nothing passes any more, and nothing is lost: a database that hangs, or a disk that does. */
  stall(): void
  /** Ends every connection and refuses new ones: a database that is gone. */
  cut(): void
  resume(): void
  close(): Promise<void>
}

/** A way to PostgreSQL on which the traffic can be held up and let go again. */
export async function createStallableProxy(postgres: TestPostgres): Promise<StallableProxy> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'stalled' | 'cut' = 'open'
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
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (state === 'stalled') from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const forAll = (act: (socket: Socket) => unknown): void => {
    for (const socket of sockets) act(socket)
  }
  return {
    connection: { ...postgres, host: '127.0.0.1', port },
    stall() {
      state = 'stalled'
      forAll((socket) => socket.pause())
    },
    cut() {
      state = 'cut'
      forAll((socket) => socket.destroy())
    },
    resume() {
      state = 'open'
      forAll((socket) => socket.resume())
    },
    async close() {
      forAll((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
