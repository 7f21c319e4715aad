import { idPattern } from '@merlon/base'
import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { searchEvents as search, type Position } from './search.repo.ts'
import { toSecurityEvent } from './stored-event.ts'

export const searchEvents = implement(
  endpoints.events.searchEvents,
  async ({ app, query, db, clock }) => {
    const { cursor, from, to, q, limit = 50, type, module, severity, ip, userId } = query
    const { rows, next } = await search(db, {
      appId: app.id,
      now: clock.now(),
      limit,
      ...(type === undefined ? {} : { type }),
      ...(module === undefined ? {} : { module }),
      ...(severity === undefined ? {} : { severity }),
      ...(ip === undefined ? {} : { ip }),
      ...(userId === undefined ? {} : { userId }),
      ...(from === undefined ? {} : { from: new Date(from) }),
      ...(to === undefined ? {} : { to: new Date(to) }),
      ...(q === undefined ? {} : { text: q }),
      ...(cursor === undefined ? {} : { before: parseCursor(cursor) }),
    })
    const nextCursor = next === undefined ? null : `${next.at.getTime()}.${next.id}`
    return { data: rows.map(toSecurityEvent), meta: { limit, nextCursor } }
  },
)

const EVENT_ID = new RegExp(idPattern('event'))

function parseCursor(cursor: string): Position {
  const [ms = '', id = '', ...rest] = cursor.split('.')
  const at = new Date(Number(ms))
  if (!/^\d{1,15}$/.test(ms) || !EVENT_ID.test(id) || rest.length > 0) {
    throw problem('invalid', 'cursor must be the nextCursor of an earlier answer.')
  }
  return { at, id }
}
