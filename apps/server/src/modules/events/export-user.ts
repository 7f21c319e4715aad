import { Readable } from 'node:stream'
import { endpoints } from '@merlon/contract'
import type { Db } from '../../db/database.ts'
import { implementRaw } from '../../http/implement.ts'
import type { Position } from './search.repo.ts'
import { toSecurityEvent } from './stored-event.ts'
import { userEvents } from './user-data.repo.ts'

const PAGE = 500

/** JSON lines, read in pages while they are sent: an export of any size takes the same memory. */
export const exportUser = implementRaw(
  endpoints.events.exportUser,
  async ({ app, query, db }, _request, reply) =>
    reply
      .code(200)
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="events.ndjson"')
      .send(Readable.from(lines(db, app.id, query.userId))),
)

async function* lines(db: Db, appId: string, userId: string): AsyncGenerator<string> {
  let after: Position | undefined
  for (;;) {
    const page = await userEvents(db, appId, userId, after, PAGE)
    if (page.length > 0)
      yield page.map((row) => `${JSON.stringify(toSecurityEvent(row))}\n`).join('')
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { at: last.ts, id: last.id }
  }
}
