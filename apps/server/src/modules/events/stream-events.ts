import { endpoints } from '@merlon/contract'
import { implementRaw, type Call } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import {
  formatPosition,
  isResumable,
  parsePosition,
  type CommitPosition,
} from './commit-order.repo.ts'
import { openStream } from './open-stream.ts'
import { findAppAccess } from './open-apps.repo.ts'
import { parseStartId, startId } from './stream-start.ts'
import { isStreamToken } from './stream-token.ts'

const RESUME_MS = 10 * 60_000
const STREAMS_MAX = 20_000

export const streamEvents = implementRaw(
  endpoints.events.streamEvents,
  async (call, request, reply) => {
    const { query, keyring, clock, events } = call
    const isValid = isStreamToken(keyring, query.token ?? '', query.appId, clock.now())
    // A token outlives its app by up to a minute, but opens nothing any more.
    const access = isValid ? await findAppAccess(events.pool, query.appId) : 'gone'
    if (access === 'suspended') throw problem('forbidden', 'This app or its account is suspended.')
    if (access === 'gone') {
      throw problem(
        'unauthenticated',
        'The token is missing, wrong or has run out: take one from POST /api/events/stream-token.',
      )
    }
    if (events.hub.size >= STREAMS_MAX) {
      throw problem('unavailable', 'Too many streams are open on this server.', {
        headers: { 'retry-after': '5' },
      })
    }
    // Taken before the stream says hello: what happens from then on is in it.
    const from =
      (await resumePosition(call, request.headers['last-event-id'])) ??
      (await events.hub.position(query.appId))
    const headers = Object.fromEntries(
      Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
    )
    reply.hijack()
    const onClose = (): void => events.hub.leave(query.appId, listener)
    const hello =
      from.id === '' ? startId(keyring, query.appId, from, clock.now()) : formatPosition(from)
    const listener = openStream(reply.raw, { headers, onClose, startId: hello })
    try {
      await events.hub.join(query.appId, listener, from)
    } catch (error) {
      // A stream that was not joined would stay silent for ever; cut off, its reader comes again.
      request.log.error({ err: error }, 'a stream could not be joined')
      listener.end()
    }
    // A reader may have gone while it was being brought up to date.
    if (reply.raw.destroyed) events.hub.leave(query.appId, listener)
    return reply
  },
)

type Resuming = Pick<
  Call<typeof endpoints.events.streamEvents>,
  'query' | 'clock' | 'events' | 'keyring'
>

/** A position that is too old, or another database's, is none: the reader sees new events at once. */
async function resumePosition(
  { query, clock, events, keyring }: Resuming,
  header: string | string[] | undefined,
): Promise<CommitPosition | undefined> {
  const given = typeof header === 'string' ? header : query.lastEventId
  if (given === undefined) return undefined
  const since = clock.now() - RESUME_MS
  const start = parseStartId(keyring, query.appId, given)
  if (start !== undefined) return start.at >= since ? start.position : undefined
  const position = parsePosition(given)
  if (position === undefined) return undefined
  const known = await isResumable(events.pool, query.appId, position, new Date(since))
  return known ? position : undefined
}
