import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '@merlon/contract'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { ApiError, createClient, type ClientOptions } from './index.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

type Reply = (response: ServerResponse, seen: Seen) => void
const ok =
  (data: unknown, meta?: unknown): Reply =>
  (response) =>
    response.setHeader('x-request-id', 'req_1').end(JSON.stringify({ ok: true, data, meta }))
const refuse =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'x-request-id': 'req_2', ...headers })
      .end(JSON.stringify({ ok: false, error: `Sentence for ${status}.` }))

/** A real HTTP server that gives the replies in turn, and a client of it that does not wait. */
async function clientOf(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  const waits: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const entry = { method, url, headers, body }
      seen.push(entry)
      replies[Math.min(seen.length, replies.length) - 1]?.(response, entry)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/`,
    apiKey: 'the-key',
    random: () => 0,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    ...options,
  })
  return { client, seen, waits }
}

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw error
}

describe('a call', () => {
  it('gives the data', async () => {
    const { client } = await clientOf([ok([])])
    expect(await client.apps.listApps()).toEqual([])
  })

  it('puts parameters into the path, encoded', async () => {
    const { client, seen } = await clientOf([ok({})])
    await client.apps.getApp({ params: { id: 'a/b' } })
    expect(seen[0]?.url).toBe('/api/apps/a%2Fb')
  })

  it('puts the query behind the path and leaves out what is undefined', async () => {
    const { client, seen } = await clientOf([ok([])])
    await client.audit.listAudit({ query: { limit: 5, action: 'app.create' } })
    expect(seen[0]?.url).toBe('/api/audit?limit=5&action=app.create')
  })

  it('sends the body as JSON', async () => {
    const { client, seen } = await clientOf([ok({})])
    await client.apps.createApp({ body: { name: 'Shop' } })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      body: '{"name":"Shop"}',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('sends the key as a bearer token', async () => {
    const { client, seen } = await clientOf([ok([])])
    await client.apps.listApps()
    expect(seen[0]?.headers.authorization).toBe('Bearer the-key')
  })

  it('sends the CSRF token with a change when there is no key', async () => {
    const { client, seen } = await clientOf([ok({})], {
      apiKey: undefined,
      csrfToken: () => 'token',
    })
    await client.auth.logout()
    expect(seen[0]?.headers).toMatchObject({ 'x-csrf-token': 'token' })
  })

  it('sends a raw body as it is', async () => {
    const { client, seen } = await clientOf([ok({ count: 1 })])
    const rawBody = new TextEncoder().encode('[1,  2]')
    await client.events.ingestEvents({ body: undefined, rawBody })
    expect(seen[0]).toMatchObject({
      body: '[1,  2]',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('gives data, meta and the request id in its raw form', async () => {
    const { client } = await clientOf([ok([], { total: 0 })])
    expect(await client.raw.apps.listApps()).toEqual({
      data: [],
      meta: { total: 0 },
      requestId: 'req_1',
    })
  })
})

describe('a failure', () => {
  it('carries the sentence, the status and the request id', async () => {
    const { client } = await clientOf([refuse(404)])
    expect(await failureOf(client.apps.listApps())).toMatchObject({
      status: 404,
      message: 'Sentence for 404.',
      requestId: 'req_2',
    })
  })

  it('carries how long to wait once the retries are used up', async () => {
    const { client, seen } = await clientOf([refuse(429, { 'retry-after': '7' })])
    const error = await failureOf(client.apps.createApp({ body: { name: 'Shop' } }))
    expect({ tries: seen.length, retryAfterMs: error.retryAfterMs }).toEqual({
      tries: 3,
      retryAfterMs: 7000,
    })
  })

  it('waits as long as the server says before it tries again', async () => {
    const { client, waits } = await clientOf([refuse(503, { 'retry-after': '2' }), ok([])])
    await client.apps.listApps()
    expect(waits).toEqual([2000])
  })

  it('repeats a change that carries an idempotency key', async () => {
    const { client, seen } = await clientOf([(response) => response.destroy(), ok({ count: 1 })])
    await client.events.ingestEvents({ body: [], headers: { 'idempotency-key': 'once' } })
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once'])
  })

  it('does not repeat a change that broke on the way', async () => {
    const { client, seen } = await clientOf([(response) => response.destroy()])
    await failureOf(client.apps.createApp({ body: { name: 'Shop' } }))
    expect(seen.length).toBe(1)
  })

  it('has the status 0 when nothing listens', async () => {
    const { client } = await clientOf([], { baseUrl: 'http://127.0.0.1:1', retriesMax: 0 })
    expect(await failureOf(client.apps.listApps())).toMatchObject({ status: 0 })
  })

  it('says that the time ran out', async () => {
    const { client } = await clientOf([() => undefined], { timeoutMs: 30, retriesMax: 0 })
    expect((await failureOf(client.apps.listApps())).message).toContain('no answer within 30 ms')
  })

  it('doubts the address when the answer is none of ours', async () => {
    const { client } = await clientOf([(response) => response.end('<h1>Hello</h1>')])
    expect((await failureOf(client.apps.listApps())).message).toContain('right address')
  })

  it('follows no redirect and names its target', async () => {
    const { client } = await clientOf([
      (response) => response.writeHead(302, { location: 'https://elsewhere.test/' }).end(),
    ])
    expect((await failureOf(client.apps.listApps())).message).toContain('https://elsewhere.test/')
  })

  it("ends with the caller's own reason when the caller aborts", async () => {
    const { client } = await clientOf([() => undefined])
    const abort = new AbortController()
    const call = client.apps.listApps({ signal: abort.signal })
    abort.abort(new Error('changed my mind'))
    await expect(call).rejects.toThrow('changed my mind')
  })
})

describe('the types', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' })

  it('know what an endpoint answers', () => {
    expectTypeOf(client.apps.getApp).returns.resolves.toEqualTypeOf<App>()
  })

  it('know the meta of a list', () => {
    expectTypeOf(client.raw.apps.listApps).returns.resolves.toHaveProperty('meta').toEqualTypeOf<{
      total: number
    }>()
  })

  it('refuse a call without the id it needs', () => {
    type Input = Parameters<typeof client.apps.getApp>[0]
    expectTypeOf<{ params: Record<never, never> }>().not.toExtend<Input>()
  })

  it('refuse a body without a required field', () => {
    type Input = Parameters<typeof client.apps.createApp>[0]
    expectTypeOf<{ body: { githubRepo: null } }>().not.toExtend<Input>()
  })

  it('take a call without input where nothing is required', () => {
    expectTypeOf(client.audit.listAudit).toBeCallableWith()
  })
})
