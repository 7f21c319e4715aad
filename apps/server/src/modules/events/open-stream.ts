import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Listener } from './stream-hub.ts'

const HEARTBEAT_MS = 30_000
/** What a slow reader may have waiting in memory before it is cut off. */
const BACKLOG_BYTES_MAX = 1024 * 1024

/** Turns an answer into a stream that says hello at once and shows every 30 seconds that it lives. */
export function openStream(
  raw: ServerResponse,
  options: {
    readonly headers: OutgoingHttpHeaders
    readonly onClose: () => void
    /** From where a reader goes on who is cut off before its first event. */
    readonly startId?: string
    readonly heartbeatMs?: number
  },
): Listener {
  raw.writeHead(200, {
    ...options.headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.socket?.setNoDelay(true)
  const id = options.startId === undefined ? '' : `id: ${options.startId}\n`
  raw.write(`retry: 3000\nevent: connected\n${id}data: {}\n\n`)
  const heartbeat = setInterval(
    () => raw.write('event: heartbeat\ndata: {}\n\n'),
    options.heartbeatMs ?? HEARTBEAT_MS,
  )
  raw.on('close', () => {
    clearInterval(heartbeat)
    options.onClose()
  })
  const isGone = (): boolean => raw.writableEnded || raw.destroyed
  return {
    write(frames) {
      // The backlog is judged before the frames, so that every reader gets some and moves on.
      if (isGone() || raw.writableLength > BACKLOG_BYTES_MAX) return false
      raw.write(frames)
      return true
    },
    async drained() {
      while (!isGone() && raw.writableLength > BACKLOG_BYTES_MAX / 2) await drainOrClose(raw)
    },
    end: () => void raw.destroy(),
  }
}

async function drainOrClose(raw: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      raw.off('drain', done)
      raw.off('close', done)
      resolve()
    }
    raw.on('drain', done)
    raw.on('close', done)
  })
}
