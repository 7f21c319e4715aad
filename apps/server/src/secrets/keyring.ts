import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/**
 * Everything secret hangs on one instance secret; each purpose gets a key of its own, so that a
 * value made for one purpose is worth nothing for another.
 */
export type Purpose =
  | 'api-key'
  | 'app-key'
  | 'session'
  | 'sign-in-link'
  | 'csrf'
  | 'stream'
  | 'cursor'

export interface Keyring {
  /** A keyed hash: fit for looking a secret up without storing it. */
  mac(purpose: Purpose, text: string): Buffer
  /** Encrypts; `context` (say, the row's id) must be the same to open it again. */
  seal(context: string, text: string): Buffer
  open(context: string, sealed: Uint8Array): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Whoever reads our memory finds the instance secret anyway, so opened values may stay in it. */
const OPENED_MAX = 10_000

export function createKeyring(secret: string): Keyring {
  const derive = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'merlon', purpose, 32)))
  const encryption = derive('seal')
  const opened = new Map<string, string>()
  const macKeys = new Map<Purpose, KeyObject>()
  const macKey = (purpose: Purpose): KeyObject => {
    const known = macKeys.get(purpose) ?? derive(`mac:${purpose}`)
    macKeys.set(purpose, known)
    return known
  }
  return {
    mac: (purpose, text) => createHmac('sha256', macKey(purpose)).update(text).digest(),
    seal(context, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', encryption, nonce)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(context, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const id = `${context} ${bytes.toString('latin1')}`
      const known = opened.get(id)
      if (known !== undefined) return known
      const text = unseal(encryption, context, sealed)
      if (opened.size >= OPENED_MAX) opened.clear()
      opened.set(id, text)
      return text
    },
  }
}

function unseal(key: KeyObject, context: string, sealed: Uint8Array): string {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(tag)
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares without telling by its duration how much was right. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
