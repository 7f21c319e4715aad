import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient, type Client, type ClientOptions, type Drop } from './index.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

type Play = (response: ServerResponse, request: IncomingMessage) => void
const appId = 'app_1'

/** A server that gives out numbered tokens and plays one scene for each connection of a stream. */
async function clientOf(plays: readonly Play[], options: Partial<ClientOptions> = {}) {
  const opened: { url: URL; lastEventId: unknown }[] = []
  const waits: number[] = []
  let tokens = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://server')
    if (request.method === 'POST') {
      const data = { token: `token-${++tokens}`, expiresAt: '' }
      response.end(JSON.stringify({ ok: true, data }))
      return
    }
    opened.push({ url, lastEventId: request.headers['last-event-id'] })
    plays[Math.min(opened.length, plays.length) - 1]?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const client = createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'the-key',
    random: () => 1,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    ...options,
  })
  return { client, opened, waits }
}

/** Writes the pieces one after the other, each in a packet of its own, and then leaves or stays. */
const pieces =
  (texts: readonly (string | Uint8Array)[], end: 'end' | 'cut' | 'stay' = 'end'): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.socket?.setNoDelay(true)
    const goOn = (rest: readonly (string | Uint8Array)[]) => {
      const [piece, ...left] = rest
      if (piece !== undefined) response.write(piece, () => setTimeout(() => goOn(left), 2))
      else if (end === 'end') response.end()
      else if (end === 'cut') response.destroy()
    }
    goOn(texts)
  }

const refuse =
  (status: number): Play =>
  (response) =>
    response.writeHead(status).end(JSON.stringify({ ok: false, error: `No: ${status}.` }))

const hello = 'event: connected\ndata: {}\n\n'
const batch = (id: number, ...titles: readonly string[]) =>
  `event: events\nid: ${id}\ndata: ${JSON.stringify(titles.map((title) => ({ title })))}\n\n`

async function listOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

/** The titles that come, until there are so many. */
async function titlesOf(client: Client, count: number, onDrop?: (drop: Drop) => void) {
  const titles: string[] = []
  const given = onDrop === undefined ? {} : { onDrop }
  for await (const events of client.followEvents({ appId, ...given })) {
    titles.push(...events.map(({ title }) => title))
    if (titles.length >= count) break
  }
  return titles
}

describe('streamEvents', () => {
  it('puts frames together that come in pieces', async () => {
    const { client } = await clientOf([pieces(['eve', 'nt: a\r', '\nda', 'ta: 1\r\n', '\r\n'])])
    expect(await listOf(client.streamEvents({ appId }))).toEqual([
      { event: 'a', data: '1', id: undefined },
    ])
  })

  it('puts a character together that is cut in two', async () => {
    const [first = 0, ...others] = new TextEncoder().encode('ü')
    const cut = [Uint8Array.of(...new TextEncoder().encode('data: '), first)]
    const { client } = await clientOf([pieces([...cut, Uint8Array.from(others), '\n\n'])])
    expect(await listOf(client.streamEvents({ appId }))).toMatchObject([{ data: 'ü' }])
  })

  it('opens the stream with a token of its own and the place to go on', async () => {
    const { client, opened } = await clientOf([pieces([hello])])
    await listOf(client.streamEvents({ appId, lastEventId: '5.evt' }))
    expect(opened.map(({ url, lastEventId }) => [url.search, lastEventId])).toEqual([
      ['?appId=app_1&token=token-1', '5.evt'],
    ])
  })

  it("fails with the server's sentence when the stream is refused", async () => {
    const { client } = await clientOf([refuse(401)])
    await expect(listOf(client.streamEvents({ appId }))).rejects.toMatchObject({
      status: 401,
      message: 'No: 401.',
    })
  })

  it('doubts an answer that is no stream', async () => {
    const { client } = await clientOf([(response) => response.end('<h1>Hello</h1>')])
    await expect(listOf(client.streamEvents({ appId }))).rejects.toThrow('right address')
  })

  it('fails with the status 0 when the connection is cut', async () => {
    const { client } = await clientOf([pieces([hello], 'cut')])
    await expect(listOf(client.streamEvents({ appId }))).rejects.toMatchObject({ status: 0 })
  })

  it('takes a stream for dead that stays silent', async () => {
    const { client } = await clientOf([pieces([hello], 'stay')], { silenceMs: 40 })
    await expect(listOf(client.streamEvents({ appId }))).rejects.toThrow('nothing came within 40')
  })

  it('ends quietly when the caller aborts', async () => {
    const { client } = await clientOf([pieces([hello], 'stay')])
    const abort = new AbortController()
    const frames = []
    for await (const frame of client.streamEvents({ appId, signal: abort.signal })) {
      frames.push(frame.event)
      abort.abort()
    }
    expect(frames).toEqual(['connected'])
  })

  it('hangs up when the caller stops reading', async () => {
    let hungUp: () => void = () => undefined
    const closed = new Promise<void>((resolve) => (hungUp = resolve))
    const play: Play = (response, request) => {
      request.socket.on('close', () => hungUp())
      pieces([hello], 'stay')(response, request)
    }
    const { client } = await clientOf([play])
    for await (const _ of client.streamEvents({ appId })) break
    await expect(closed).resolves.toBeUndefined()
  })

  it('refuses a frame that would fill the memory', async () => {
    const flood = 'x'.repeat(1024 * 1024)
    const { client } = await clientOf([pieces(['data: ', flood, flood, flood, flood])])
    await expect(listOf(client.streamEvents({ appId }))).rejects.toThrow('a frame is larger')
  })
})

describe('followEvents', () => {
  it('goes on behind the last batch after a drop', async () => {
    const plays = [pieces([hello, batch(1, 'a')], 'cut'), pieces([hello, batch(2, 'b')], 'stay')]
    const { client, opened } = await clientOf(plays)
    const titles = await titlesOf(client, 2)
    expect({ titles, from: opened.map(({ lastEventId }) => lastEventId) }).toEqual({
      titles: ['a', 'b'],
      from: [undefined, '1'],
    })
  })

  it('takes a fresh token for each connection', async () => {
    const plays = [pieces([hello, batch(1, 'a')]), pieces([hello, batch(2, 'b')], 'stay')]
    const { client, opened } = await clientOf(plays)
    await titlesOf(client, 2)
    expect(opened.map(({ url }) => url.searchParams.get('token'))).toEqual(['token-1', 'token-2'])
  })

  it('gives nothing of a batch that broke off, and all of it later', async () => {
    const whole = batch(1, 'a', 'b')
    const plays = [pieces([hello, whole.slice(0, -8)], 'cut'), pieces([hello, whole], 'stay')]
    const { client } = await clientOf(plays)
    expect(await titlesOf(client, 2)).toEqual(['a', 'b'])
  })

  it('waits longer each time while nothing comes', async () => {
    const only = pieces([hello], 'cut')
    const { client, waits } = await clientOf([only, only, only, pieces([hello, batch(1, 'a')])])
    await titlesOf(client, 1)
    expect(waits).toEqual([500, 1000, 2000])
  })

  it('comes back after a server that is not ready', async () => {
    const plays = [pieces([hello], 'cut'), refuse(503), pieces([hello, batch(1, 'a')], 'stay')]
    const { client } = await clientOf(plays)
    expect(await titlesOf(client, 1)).toEqual(['a'])
  })

  it('tells whether a drop leaves a gap', async () => {
    const plays = [
      pieces([hello], 'cut'),
      pieces([hello, batch(1, 'a')], 'cut'),
      pieces([hello, batch(2, 'b')], 'stay'),
    ]
    const { client } = await clientOf(plays)
    const drops: boolean[] = []
    await titlesOf(client, 2, ({ isGapless }) => drops.push(isGapless))
    expect(drops).toEqual([false, true])
  })

  it('fails at once when the first connection is refused', async () => {
    const { client } = await clientOf([refuse(503)])
    await expect(titlesOf(client, 1)).rejects.toMatchObject({ status: 503 })
  })

  it('fails when the way back is barred for good', async () => {
    const { client } = await clientOf([pieces([hello], 'cut'), refuse(403)])
    await expect(titlesOf(client, 1)).rejects.toMatchObject({ status: 403 })
  })

  it('ends quietly when the caller aborts while it waits', async () => {
    const abort = new AbortController()
    const { client } = await clientOf([pieces([hello], 'cut')])
    const { signal } = abort
    const onDrop = () => abort.abort()
    expect(await listOf(client.followEvents({ appId, signal, onDrop }))).toEqual([])
  })
})

describe('exportUser', () => {
  const lines =
    (end: 'end' | 'cut'): Play =>
    (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"a":1}\n', () => (end === 'end' ? response.end() : response.destroy()))
    }

  it('gives the text as it comes', async () => {
    const { client } = await clientOf([lines('end')])
    const text = await listOf(client.exportUser({ appId, userId: 'u' }))
    expect(text.join('')).toBe('{"a":1}\n')
  })

  it('fails when the text breaks off', async () => {
    const { client } = await clientOf([lines('cut')])
    await expect(listOf(client.exportUser({ appId, userId: 'u' }))).rejects.toMatchObject({
      status: 0,
    })
  })
})
