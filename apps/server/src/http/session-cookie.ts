import type { Keyring } from '../secrets/keyring.ts'

const NAME = 'merlon_session'

export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  if (cookieHeader === undefined) return undefined
  for (const part of cookieHeader.split(';')) {
    const cut = part.indexOf('=')
    if (part.slice(0, cut).trim() !== NAME) continue
    const value = part.slice(cut + 1).trim()
    return /^[\w-]{43}$/.test(value) ? value : undefined
  }
  return undefined
}

export function sessionCookie(
  token: string,
  options: { maxAgeSeconds: number; secure: boolean },
): string {
  const secure = options.secure ? '; Secure' : ''
  return `${NAME}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${options.maxAgeSeconds}${secure}`
}

export function endedSessionCookie(secure: boolean): string {
  return sessionCookie('', { maxAgeSeconds: 0, secure })
}

/** Derived, not stored: whoever has the session has the token, and nobody else. */
export function csrfTokenOf(sessionToken: string, keyring: Keyring): string {
  return keyring.mac('csrf', sessionToken).toString('base64url')
}
