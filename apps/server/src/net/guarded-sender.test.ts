import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSender, type SenderOptions } from './guarded-sender.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function receiver(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )
  return (server.address() as AddressInfo).port
}

function sender(options: Partial<SenderOptions> = {}) {
  const made = createSender({ allowPrivate: false, ...options })
  open.push(() => made.close())
  return made
}

const loopback = async () => [{ address: '127.0.0.1', family: 4 }]
const get = (url: string) => ({ method: 'GET', url }) as const

describe('a guarded sender that may call private addresses', () => {
  it('sends method, path, headers and body, and answers status, headers and body', async () => {
    const port = await receiver((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        response.setHeader('x-seen', String(request.headers['x-mine']))
        response.statusCode = 202
        response.end(`${request.method} ${request.url} ${body}`)
      })
    })
    const answer = await sender({ allowPrivate: true }).send({
      method: 'POST',
      url: `http://127.0.0.1:${port}/hook?a=1`,
      headers: { 'x-mine': 'yes' },
      body: 'hello',
    })
    expect(answer.status).toBe(202)
    expect(answer.headers['x-seen']).toBe('yes')
    expect(answer.body.toString()).toBe('POST /hook?a=1 hello')
    expect(answer.truncated).toBe(false)
  })

  it('does not follow a redirect', async () => {
    let calls = 0
    const port = await receiver((_request, response) => {
      calls++
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const answer = await sender({ allowPrivate: true }).send(get(`http://127.0.0.1:${port}/`))
    expect([answer.status, calls]).toEqual([302, 1])
  })

  it('keeps only the beginning of an answer that never ends', async () => {
    const port = await receiver((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
      }
      response.on('drain', more)
      more()
    })
    const answer = await sender({ allowPrivate: true }).send(get(`http://127.0.0.1:${port}/`))
    expect(answer.body.length).toBe(4_096)
    expect(answer.truncated).toBe(true)
  })

  it('gives up on a receiver that says nothing', async () => {
    const port = await receiver(() => undefined)
    const sending = sender({ allowPrivate: true, totalTimeoutMs: 100 }).send(
      get(`http://127.0.0.1:${port}/`),
    )
    await expect(sending).rejects.toMatchObject({
      kind: 'timeout',
      message: 'There was no answer within 0.1 s.',
    })
  })

  it('gives up on a receiver that never finishes its answer', async () => {
    const port = await receiver((_request, response) => void response.write('a little'))
    const sending = sender({ allowPrivate: true, totalTimeoutMs: 100 }).send(
      get(`http://127.0.0.1:${port}/`),
    )
    await expect(sending).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('gives up on a name that is never resolved', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    const sending = sender({ resolve, totalTimeoutMs: 100 }).send(get('http://slow.test/'))
    await expect(sending).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('stops when its caller says so', async () => {
    const port = await receiver(() => undefined)
    const stop = new AbortController()
    const sending = sender({ allowPrivate: true }).send({
      ...get(`http://127.0.0.1:${port}/`),
      signal: stop.signal,
    })
    stop.abort(new Error('enough'))
    await expect(sending).rejects.toThrow('enough')
  })

  it('says that a connection was refused', async () => {
    const unused = createTcpServer()
    await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve))
    const { port } = unused.address() as AddressInfo
    await new Promise((resolve) => unused.close(resolve))
    const sending = sender({ allowPrivate: true }).send(get(`http://127.0.0.1:${port}/`))
    await expect(sending).rejects.toMatchObject({
      kind: 'network',
      message: 'The connection was refused.',
    })
  })

  it('sends no body that is too large', async () => {
    const sending = sender({ allowPrivate: true, requestBytesMax: 3 }).send({
      method: 'POST',
      url: 'http://127.0.0.1:1/',
      body: 'äää',
    })
    await expect(sending).rejects.toThrow('The body has 6 bytes; at most 3 are sent.')
  })
})

describe('a guarded sender that may call only public addresses', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://localhost:PORT/',
    'http://shop.localhost:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[fd00::1]/',
  ])('refuses %s and connects to nobody', async (text) => {
    let calls = 0
    const port = await receiver((_request, response) => {
      calls++
      response.end()
    })
    const sending = sender().send(get(text.replace('PORT', String(port))))
    await expect(sending).rejects.toMatchObject({ kind: 'refused' })
    expect(calls).toBe(0)
  })

  it('refuses a name that leads to loopback, and says so', async () => {
    let calls = 0
    const port = await receiver((_request, response) => {
      calls++
      response.end()
    })
    const sending = sender({ resolve: loopback }).send(get(`http://innocent.test:${port}/`))
    await expect(sending).rejects.toMatchObject({
      kind: 'refused',
      message:
        '127.0.0.1, an address of innocent.test, is loopback; only public addresses are called.',
    })
    expect(calls).toBe(0)
  })

  it('refuses a name of which one answer among public ones is private', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ]
    await expect(sender({ resolve }).send(get('http://mixed.test/'))).rejects.toThrow('10.0.0.7')
  })

  it('looks the name up once for each connection, so that a second answer is never used unchecked', async () => {
    const port = await receiver((_request, response) => response.end())
    let lookups = 0
    const resolve = async () => {
      lookups++
      return loopback()
    }
    const sending = sender({ allowPrivate: true, resolve }).send(get(`http://name.test:${port}/`))
    expect((await sending).status).toBe(200)
    expect(lookups).toBe(1)
  })

  it('says that a name does not exist', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    await expect(sender({ resolve }).send(get('http://nowhere.test/'))).rejects.toMatchObject({
      kind: 'network',
      message: 'The host name does not exist.',
    })
  })

  it.each([
    ['ftp://example.test/', 'The address must begin with http or https.'],
    ['http://user:pw@example.test/', 'The address must not contain a user name or password.'],
    ['http://', 'The address must be a full http or https address.'],
  ])('refuses %s', async (url, sentence) => {
    await expect(sender().send(get(url))).rejects.toThrow(sentence)
  })
})
