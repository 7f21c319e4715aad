import { endpoints } from '@merlon/contract'
import type { FastifyReply } from 'fastify'
import { implementRaw } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { isResumable, parsePosition, type CommitPosition } from './commit-order.repo.ts'
import type { Listener } from './stream-hub.ts'
import { isStreamToken } from './stream-token.ts'

const HEARTBEAT_MS = 30_000
const RESUME_MS = 10 * 60_000
/** What a slow reader may have waiting in memory before it is cut off. */
const BACKLOG_BYTES_MAX = 1024 * 1024
const STREAMS_MAX = 20_000

export const streamEvents = implementRaw(
  endpoints.events.streamEvents,
  async (call, request, reply) => {
    const { query, keyring, clock, events } = call
    if (!isStreamToken(keyring, query.token, query.appId, clock.now())) {
      throw problem(
        'unauthenticated',
        'The token is wrong or has run out: take a new one from POST /api/events/stream-token.',
      )
    }
    if (events.hub.size >= STREAMS_MAX) {
      throw problem('unavailable', 'Too many streams are open on this server.', {
        headers: { 'retry-after': '5' },
      })
    }
    const resume = await resumePosition(call, request.headers['last-event-id'])
    const listener = openStream(reply, () => events.hub.leave(query.appId, listener))
    await events.hub.join(query.appId, listener, resume)
    // A reader may have gone while it was being brought up to date.
    if (reply.raw.destroyed) events.hub.leave(query.appId, listener)
    return reply
  },
)

async function resumePosition(
  {
    query,
    clock,
    events,
  }: {
    query: { appId: string; lastEventId?: string }
    clock: { now(): number }
    events: { pool: Parameters<typeof isResumable>[0] }
  },
  header: string | string[] | undefined,
): Promise<CommitPosition | undefined> {
  const given = typeof header === 'string' ? header : query.lastEventId
  const position = given === undefined ? undefined : parsePosition(given)
  if (position === undefined) return undefined
  const since = new Date(clock.now() - RESUME_MS)
  // A position that is too old, or another database's, starts at now: the reader sees new events at once.
  return (await isResumable(events.pool, query.appId, position, since)) ? position : undefined
}

function openStream(reply: FastifyReply, onClose: () => void): Listener {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...Object.fromEntries(
      Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
    ),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.socket?.setNoDelay(true)
  raw.write('retry: 3000\nevent: connected\ndata: {}\n\n')
  const heartbeat = setInterval(() => raw.write('event: heartbeat\ndata: {}\n\n'), HEARTBEAT_MS)
  raw.on('close', () => {
    clearInterval(heartbeat)
    onClose()
  })
  return {
    write(frame) {
      if (raw.writableEnded || raw.destroyed) return false
      raw.write(frame)
      return raw.writableLength <= BACKLOG_BYTES_MAX
    },
    end: () => void raw.destroy(),
  }
}
