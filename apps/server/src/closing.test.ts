import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { harness } from '../testing/harness.ts'
import { openPort } from '../testing/raw-http.ts'

describe('closing the server', () => {
  const house = harness()

  it('finishes the request that is under way, says so, and takes no other', async () => {
    const port = await openPort(house.server())
    const body = JSON.stringify({ name: 'Shop' })
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/apps',
      headers: {
        authorization: `Bearer ${house.operatorKey}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    const seen = once(house.server().server, 'request')
    sending.write(body.slice(0, 5))
    // The server has the head now and waits for the rest of the body.
    await seen
    const closed = house.app().close()
    const readiness = await house.call('GET', '/readyz')
    expect(readiness.status).toBe(503)
    expect(readiness.error).toBe('Not ready: the server is stopping.')
    sending.end(body.slice(5))
    const [answer] = await answered
    expect(answer.statusCode).toBe(201)
    answer.resume()
    await closed
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed')
  })
})
