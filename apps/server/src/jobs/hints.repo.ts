import pg from 'pg'
import type { JobLog } from './job.ts'
import { outagePauseMs } from './outage.ts'
import { HINT_CHANNEL } from './queue.repo.ts'

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
  const closing = new AbortController()
  let client: pg.Client | undefined
  const finished = keepListening()

  async function keepListening(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted;) {
      const current = new pg.Client({
        ...pool.options,
        password: pool.options.password,
        keepAlive: true,
      })
      client = current
      const lost = new Promise<void>((resolve) => {
        current.on('end', resolve)
        current.on('error', (error) => {
          log.warn({ err: error }, 'the connection for job hints was lost')
          resolve()
        })
      })
      try {
        current.on('notification', (message) => receiver.onHint(message.payload ?? ''))
        await current.connect()
        await current.query(`listen ${HINT_CHANNEL}`)
        failures = 0
        receiver.onConnected()
        if (!closing.signal.aborted) await lost
      } catch (error) {
        if (!closing.signal.aborted) log.warn({ err: error }, 'job hints cannot be listened for')
      }
      await current.end().catch(() => undefined)
      if (!closing.signal.aborted) await pause(outagePauseMs(failures++), closing.signal)
    }
  }

  return {
    async close() {
      closing.abort()
      await client?.end().catch(() => undefined)
      await finished
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
