import pg from 'pg'
import type { JobLog } from './job.ts'
import { outagePauseMs, withDeadline } from './outage.ts'
import { HINT_CHANNEL } from './queue.repo.ts'

const ANSWER_MS = 10_000
/** The other end of a half-open connection never says goodbye. */
const GOODBYE_MS = 500

export interface HintListener {
  close(): Promise<void>
}

export interface HintReceiver {
  onHint(payload: string): void
  /** Hints may have been missed until now. */
  onConnected(): void
}

/**
 * Listens on a connection of its own and comes back when that is lost. A hint only shortens the
 * wait for the next poll, so nothing is lost with it.
 */
export function listenForHints(pool: pg.Pool, receiver: HintReceiver, log: JobLog): HintListener {
  let isClosing = false
  let announceClosing: () => void = () => undefined
  const closing = new Promise<void>((resolve) => (announceClosing = resolve))
  const finished = keepListening()

  async function keepListening(): Promise<void> {
    for (let failures = 0; !isClosing; failures++) {
      // The spread leaves out the password, which a pool hides from being printed.
      const { password } = pool.options
      const client = new pg.Client({ ...pool.options, password, keepAlive: true })
      const lost = new Promise<void>((resolve) => {
        client.on('end', resolve)
        client.on('error', (error) => {
          if (!isClosing) log.warn({ err: error }, 'the connection for job hints was lost')
          resolve()
        })
      })
      try {
        // A driver that is told to end while it connects never says how connecting went.
        await Promise.race([withDeadline(listen(client), ANSWER_MS), closing])
        failures = 0
        if (!isClosing) receiver.onConnected()
        await Promise.race([lost, closing])
      } catch (error) {
        if (!isClosing) log.warn({ err: error }, 'job hints cannot be listened for')
      }
      await withDeadline(client.end(), GOODBYE_MS).catch(() => undefined)
      if (!isClosing) await Promise.race([pause(outagePauseMs(failures)), closing])
    }
  }

  async function listen(client: pg.Client): Promise<void> {
    client.on('notification', (message) => receiver.onHint(message.payload ?? ''))
    await client.connect()
    await client.query(`listen ${HINT_CHANNEL}`)
  }

  return {
    async close() {
      isClosing = true
      announceClosing()
      await finished
    },
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref())
}
