import { sameText, type Keyring } from '../../secrets/keyring.ts'

export const STREAM_TOKEN_SECONDS = 60

/** Signed, bound to the app and the account, and short-lived: it stands in an address, where others may see it. */
export function createStreamToken(keyring: Keyring, appId: string, expiresAt: number): string {
  return `${expiresAt}.${sign(keyring, appId, expiresAt)}`
}

export function isStreamToken(
  keyring: Keyring,
  token: string,
  appId: string,
  now: number,
): boolean {
  const [expires = '', signature = ''] = token.split('.')
  if (!/^\d{1,15}$/.test(expires)) return false
  const expiresAt = Number(expires)
  return sameText(signature, sign(keyring, appId, expiresAt)) && now < expiresAt
}

function sign(keyring: Keyring, appId: string, expiresAt: number): string {
  return keyring.mac('stream', `${appId} ${expiresAt}`).toString('base64url')
}
