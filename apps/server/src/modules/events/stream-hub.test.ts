import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCuttableProxy } from '../../../testing/cuttable-proxy.ts'
import { plantApp } from '../../../testing/plant-app.ts'
import { storedEvent } from '../../../testing/stored-event.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { openDatabase } from '../../db/database.ts'
import { parsePosition, type CommitPosition } from './commit-order.repo.ts'
import { ensurePartitions } from './partitions.repo.ts'
import { storeBatch } from './store.repo.ts'
import { StreamHub, type Listener } from './stream-hub.ts'

interface Reader extends Listener {
  readonly titles: string[]
  readonly frames: string[]
  lastSeen(): CommitPosition
  ended: boolean
  /** Takes no more frames, as if its buffer were full. */
  stuck: boolean
}

function reader(): Reader {
  const titles: string[] = []
  const frames: string[] = []
  let seen = ''
  return {
    titles,
    frames,
    ended: false,
    stuck: false,
    write(text) {
      if (this.stuck) return false
      for (const frame of text.split('\n\n').slice(0, -1)) {
        const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '[]'
        seen = /^id: (.*)$/m.exec(frame)?.[1] ?? ''
        titles.push(...(JSON.parse(data) as { title: string }[]).map(({ title }) => title))
        frames.push(frame)
      }
      return true
    },
    drained: async () => undefined,
    end() {
      this.ended = true
    },
    lastSeen() {
      const position = parsePosition(seen)
      if (position === undefined) throw new Error('It has seen nothing yet.')
      return position
    },
  }
}

describe('the stream hub', () => {
  let database: TestDatabase
  let appId = ''
  const hubs: StreamHub[] = []
  const newHub = (pool = database.pool): StreamHub => {
    const hub = new StreamHub(pool, () => undefined)
    hubs.push(hub)
    return hub
  }
  beforeAll(async () => {
    database = await createTestDatabase()
    await ensurePartitions(database.pool, Date.now())
    appId = await plantApp(database.db)
  })
  afterEach(async () => {
    for (const hub of hubs.splice(0)) await hub.close()
  })
  afterAll(async () => database.drop())

  const store = async (...titles: string[]): Promise<void> => {
    const client = await database.pool.connect()
    try {
      await storeBatch(
        client,
        titles.map((title) => storedEvent({ appId, title })),
        [],
      )
    } finally {
      client.release()
    }
  }
  const join = async (hub: StreamHub, listener: Reader, from?: CommitPosition): Promise<void> =>
    hub.join(appId, listener, from ?? (await hub.position(appId)))
  const shows = async (listener: Reader, titles: readonly string[]): Promise<void> =>
    vi.waitFor(() => expect(listener.titles).toEqual(titles), { timeout: 10_000 })

  it('shows an event within its own rhythm also when no notice came', async () => {
    const [hub, a] = [newHub(), reader()]
    await join(hub, a)
    await store('one')
    await shows(a, ['one'])
  })

  it('shows nothing twice to a reader who saw more on another node', async () => {
    const [near, far] = [newHub(), newHub()]
    const [moving, behind, again] = [reader(), reader(), reader()]
    await join(near, moving)
    await join(far, behind)
    await store('one', 'two')
    // The far node has not heard of them yet.
    near.hint([appId])
    await shows(moving, ['one', 'two'])
    await far.join(appId, again, moving.lastSeen())
    await store('three')
    await shows(again, ['three'])
    await shows(behind, ['one', 'two', 'three'])
  })

  it('gives a reader who comes back everything that the others had meanwhile', async () => {
    const [hub, staying, leaving] = [newHub(), reader(), reader()]
    await join(hub, staying)
    await join(hub, leaving)
    await store('one')
    await shows(leaving, ['one'])
    hub.leave(appId, leaving)
    const titles = Array.from({ length: 250 }, (_, i) => `t${i}`)
    await store(...titles)
    await vi.waitFor(() => expect(staying.titles).toHaveLength(251), { timeout: 10_000 })
    const back = reader()
    await hub.join(appId, back, leaving.lastSeen())
    expect(back.titles).toEqual(titles)
  })

  it('misses nothing when the others move on while it reads what was missed', async () => {
    const [hub, staying, first] = [newHub(), reader(), reader()]
    await join(hub, staying)
    await join(hub, first)
    await store('start')
    await shows(first, ['start'])
    const from = first.lastSeen()
    hub.leave(appId, first)
    const back = Array.from({ length: 10 }, reader)
    let sent = 0
    for (const one of back) {
      await Promise.all([
        store(`a${sent++}`).then(() => hub.hint([appId])),
        hub.join(appId, one, from),
        store(`a${sent++}`).then(() => hub.hint([appId])),
      ])
    }
    const all = await vi.waitFor(
      () => {
        expect(staying.titles).toHaveLength(sent + 1)
        return staying.titles.slice(1)
      },
      { timeout: 10_000 },
    )
    for (const one of back) await shows(one, all)
  })

  it('cuts a reader off who takes no more, and leaves the others alone', async () => {
    const [hub, slow, fine] = [newHub(), reader(), reader()]
    await join(hub, slow)
    await join(hub, fine)
    await store('one')
    await shows(slow, ['one'])
    slow.stuck = true
    await store('two')
    await shows(fine, ['one', 'two'])
    expect(slow.ended).toBe(true)
    expect(hub.size).toBe(1)
    const again = reader()
    await hub.join(appId, again, slow.lastSeen())
    await shows(again, ['two'])
  })

  it('puts large events into frames of a bounded size, each with an id to go on from', async () => {
    const [hub, a] = [newHub(), reader()]
    await join(hub, a)
    const payloadText = JSON.stringify({ text: 'x'.repeat(60_000) })
    const client = await database.pool.connect()
    await storeBatch(
      client,
      Array.from({ length: 30 }, (_, i) => storedEvent({ appId, title: `L${i}`, payloadText })),
      [],
    )
    client.release()
    await vi.waitFor(() => expect(a.titles).toHaveLength(30), { timeout: 10_000 })
    expect(a.frames.length).toBeGreaterThan(5)
    expect(Math.max(...a.frames.map((frame) => frame.length))).toBeLessThan(400_000)
    expect(a.frames.every((frame) => /^id: \d+\.evt_/m.test(frame))).toBe(true)
  })

  it('ends the streams of an app that is deleted or suspended', async () => {
    const hub = newHub()
    const [deleted, suspended] = [reader(), reader()]
    const ids = [await plantApp(database.db), await plantApp(database.db)] as const
    await hub.join(ids[0], deleted, await hub.position(ids[0]))
    await hub.join(ids[1], suspended, await hub.position(ids[1]))
    await database.db.deleteFrom('apps').where('id', '=', ids[0]).execute()
    await database.db
      .updateTable('apps')
      .set({ status: 'suspended' })
      .where('id', '=', ids[1])
      .execute()
    await vi.waitFor(() => expect([deleted.ended, suspended.ended]).toEqual([true, true]), {
      timeout: 10_000,
    })
  })

  it('goes on where it was after the database was away', async () => {
    const proxy = await createCuttableProxy(database.connection)
    const away = openDatabase(proxy.connection, { connections: 2, onError: () => undefined })
    const [hub, a] = [newHub(away.pool), reader()]
    await join(hub, a)
    await store('one')
    await shows(a, ['one'])
    proxy.cut()
    await store('two')
    hub.hint([appId])
    await new Promise((resolve) => setTimeout(resolve, 200))
    proxy.mend()
    await shows(a, ['one', 'two'])
    await hub.close()
    await away.close()
    await proxy.close()
  })

  it('ends every stream when it closes', async () => {
    const [hub, a] = [newHub(), reader()]
    await join(hub, a)
    await hub.close()
    expect(a.ended).toBe(true)
    expect(hub.size).toBe(0)
  })
})
