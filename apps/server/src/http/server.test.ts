import { createKey } from '@merlon/base'
import { describe, expect, it } from 'vitest'
import { harness } from '../../testing/harness.ts'
import { openPort, sendRaw } from '../../testing/raw-http.ts'

const TWO_MEBIBYTES = 2 * 1024 * 1024
const json = { 'content-type': 'application/json' }

describe('the shell', () => {
  const house = harness()
  const post = (payload: string, headers: Record<string, string> = json) => ({
    method: 'POST' as const,
    url: '/api/apps',
    payload,
    headers: { authorization: `Bearer ${house.operatorKey}`, ...headers },
  })
  const refusals: readonly (readonly [string, number, RegExp, () => object])[] = [
    ['an unknown path', 404, /nothing at this address/, () => ({ url: '/api/nothing' })],
    ['another method', 405, /GET, POST is/, () => ({ method: 'PUT', url: '/api/apps' })],
    ['a broken address', 400, /invalid % sequence/, () => ({ url: '/api/apps/%zz' })],
    ['a missing key', 401, /API key is missing/, () => ({ url: '/api/apps' })],
    ['2 MiB', 413, /larger than/, () => post(`{"name":"${'a'.repeat(TWO_MEBIBYTES)}"}`)],
    ['plain text', 415, /application\/json/, () => post('name', { 'content-type': 'text/plain' })],
    ['a body of no type', 415, /application\/json/, () => post('{"name":"Shop"}', {})],
    ['broken JSON', 400, /not valid JSON/, () => post('{"name":')],
    ['an empty body', 400, /body/, () => post('')],
    ['bytes that are no text', 400, /name/, () => post('{"name":"\\u0000"}')],
    [
      'an unknown field',
      400,
      /^colour is not a known field/,
      () => post('{"name":"Shop","colour":"red"}'),
    ],
  ]

  describe.each(refusals)('refuses %s with %i', (_what, status, sentence, request) => {
    const ask = async () => house.server().inject(request())

    it('in the envelope, with a sentence that says why', async () => {
      const answer = await ask()
      expect(answer.statusCode).toBe(status)
      expect(answer.json()).toEqual({ ok: false, error: expect.stringMatching(sentence) })
    })

    it('with a request id and the security headers', async () => {
      const { headers } = await ask()
      expect(headers['x-request-id']).toMatch(/^req_\w{26}$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    })
  })

  it('says with 405 which methods would do', async () => {
    const { headers } = await house.server().inject({ method: 'PUT', url: '/api/apps' })
    expect(headers['allow']).toBe('GET, POST')
  })

  it('says so for a path with a parameter too', async () => {
    const { headers } = await house
      .server()
      .inject({ method: 'POST', url: `/api/apps/${createKey('app')}` })
    expect(String(headers['allow']).split(', ').toSorted()).toEqual(['DELETE', 'GET', 'PATCH'])
  })

  it('forbids framing, sniffing, caching and referrers', async () => {
    const { headers } = await house.call('GET', '/api/apps', { as: house.operatorKey })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  describe('over a real connection', () => {
    it.each([
      ['headers over 16 KiB', `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      ['what is no HTTP', 'HELLO\r\n\r\n', 400],
    ])('refuses %s in the envelope with a request id', async (_what, text, status) => {
      const answer = await sendRaw(await openPort(house.server()), text)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer).toMatch(/\r\nx-request-id: req_\w{26}\r\n/)
      expect(answer.split('\r\n\r\n')[1]).toMatch(/^\{"ok":false,"error":"The .+\."\}$/)
    })
  })
})

describe('the shell behind TLS', () => {
  const house = harness({ MERLON_PUBLIC_URL: 'https://merlon.test' })

  it('tells browsers to stay with TLS', async () => {
    const { headers } = await house.call('GET', '/healthz')
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/)
  })
})

describe('the rate limit', () => {
  const house = harness({ MERLON_LIMIT_ACCOUNT: '5' })
  const ask = () => house.call('GET', '/api/auth/me', { as: house.operatorKey })

  it('counts down, then answers 429 until the time that it names', async () => {
    for (const remaining of ['4', '3', '2', '1', '0']) {
      const { status, headers } = await ask()
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': remaining })
    }
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(refused.error).toContain('Try again in 12 s')
    expect(refused.headers).toMatchObject({
      'retry-after': '12',
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    })
    house.clock.advance({ seconds: 12 })
    expect((await ask()).status).toBe(200)
  })

  it('counts wrong keys by where they come from', async () => {
    const guess = () => house.call('GET', '/api/auth/me', { as: 'guess' })
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })
})
