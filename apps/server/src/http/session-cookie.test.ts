import { describe, expect, it } from 'vitest'
import { createKeyring } from '../secrets/keyring.ts'
import { csrfTokenOf, endedSessionCookie, sessionCookie, sessionTokenOf } from './session-cookie.ts'

const token = 'aB3_-'.repeat(9).slice(0, 43)

describe('sessionTokenOf', () => {
  it.each<[string, string | undefined]>([
    [`merlon_session=${token}`, token],
    [`theme=dark; merlon_session=${token}; lang=de`, token],
    [`theme=dark;merlon_session=${token}`, token],
    ['theme=dark', undefined],
    ['', undefined],
    ['merlon_session', undefined],
    ['merlon_session=', undefined],
    [`not_merlon_session=${token}`, undefined],
    [`MERLON_SESSION=${token}`, undefined],
    [`merlon_session=${token}x`, undefined],
    [`merlon_session=${token.slice(1)}`, undefined],
    [`merlon_session="${token}"`, undefined],
    [`merlon_session=bad; merlon_session=${token}`, undefined],
  ])('reads %j as %j', (header, expected) => {
    expect(sessionTokenOf(header)).toBe(expected)
  })

  it('finds nothing where no cookie came', () => {
    expect(sessionTokenOf(undefined)).toBeUndefined()
  })
})

describe('sessionCookie', () => {
  it('is out of reach for scripts and other sites', () => {
    expect(sessionCookie(token, { maxAgeSeconds: 60, secure: false })).toBe(
      `merlon_session=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60`,
    )
  })

  it('goes over TLS alone where the server is reached by it', () => {
    expect(sessionCookie(token, { maxAgeSeconds: 60, secure: true })).toMatch(/; Secure$/)
  })

  it('ends by having no time left', () => {
    expect(endedSessionCookie(true)).toBe(
      'merlon_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    )
  })
})

describe('csrfTokenOf', () => {
  const keyring = createKeyring('a secret of at least thirty-two characters')

  it('is the same for one session, another for the next, and never the session itself', () => {
    expect(csrfTokenOf(token, keyring)).toBe(csrfTokenOf(token, keyring))
    expect(csrfTokenOf(token, keyring)).not.toBe(csrfTokenOf(`${token}x`, keyring))
    expect(csrfTokenOf(token, keyring)).toMatch(/^[\w-]{43}$/)
    expect(csrfTokenOf(token, keyring)).not.toContain(token)
  })
})
