import pg from 'pg'

export interface NoticeBoard {
  on(channel: string, handle: (payload: string) => void): Promise<void>
  /** Told whenever the connection comes or goes: what a notice keeps fresh is stale without it. */
  onConnection(handle: (connected: boolean) => void): void
  close(): Promise<void>
}

const RETRY_MS = 500
const CLOSE_MS = 1_000

/** One connection of this node that hears every notice; it is made again whenever it breaks. */
export async function openNoticeBoard(
  connection: pg.ClientConfig,
  log: (message: string, error: unknown) => void,
): Promise<NoticeBoard> {
  const channels = new Map<string, (payload: string) => void>()
  const watchers: ((connected: boolean) => void)[] = []
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false
  const tell = (connected: boolean): void => watchers.forEach((watch) => watch(connected))

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      ...connection,
      application_name: 'merlon notices',
      keepAlive: true,
    })
    fresh.on('notification', (message) => channels.get(message.channel)?.(message.payload ?? ''))
    fresh.on('error', (error) => lost(fresh, error))
    fresh.on('end', () => lost(fresh, undefined))
    await fresh.connect()
    for (const channel of channels.keys())
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = fresh
    tell(true)
  }
  const lost = (which: pg.Client, error: unknown): void => {
    if (closed || which !== client) return
    client = undefined
    tell(false)
    log('The notice connection broke; it is made again.', error)
    again()
  }
  const again = (): void => {
    retry = setTimeout(() => {
      connect().catch((error: unknown) => {
        log('The notice connection cannot be made; trying on.', error)
        if (!closed) again()
      })
    }, RETRY_MS)
  }

  await connect()
  return {
    async on(channel, handle) {
      channels.set(channel, handle)
      await client?.query(`listen ${pg.escapeIdentifier(channel)}`)
    },
    onConnection(handle) {
      watchers.push(handle)
      handle(client !== undefined)
    },
    async close() {
      closed = true
      clearTimeout(retry)
      // A connection whose other end is gone would never say goodbye.
      await Promise.race([
        client?.end(),
        new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
      ])
    },
  }
}
