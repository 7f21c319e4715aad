/**
 * A key is prefix + 30 random base-62 characters + 6 base-62 characters of CRC-32 over what stands
 * before. The checksum lets a mistyped key be refused, and a leaked one be recognised, without a
 * look-up. It is no secret: it protects against accidents, not against forgery.
 */
export const keyPrefixes = { account: 'mln_live_', app: 'mlnapp_live_' } as const
export type KeyKind = keyof typeof keyPrefixes

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_CHARACTERS = 30
const CHECKSUM_CHARACTERS = 6

/** For JSON Schema, documentation and secret scanners. */
export function keyPattern(kind: KeyKind): string {
  return `^${keyPrefixes[kind]}[0-9A-Za-z]{${BODY_CHARACTERS + CHECKSUM_CHARACTERS}}$`
}

const shapes = { account: new RegExp(keyPattern('account')), app: new RegExp(keyPattern('app')) }

export function createKey(kind: KeyKind): string {
  const unsigned = keyPrefixes[kind] + randomText(BODY_CHARACTERS)
  return unsigned + checksum(unsigned)
}

/** Which kind of key this is, or undefined when its shape or its checksum is wrong. */
export function keyKindOf(text: string): KeyKind | undefined {
  const kind = shapes.account.test(text) ? 'account' : shapes.app.test(text) ? 'app' : undefined
  if (kind === undefined) return undefined
  const unsigned = text.slice(0, -CHECKSUM_CHARACTERS)
  return checksum(unsigned) === text.slice(-CHECKSUM_CHARACTERS) ? kind : undefined
}

/** What may be shown of a key after its creation: enough to tell two keys apart, no more. */
export function keyHint(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 5)}…`
}

function randomText(length: number): string {
  let text = ''
  const bytes = new Uint8Array(length)
  while (text.length < length) {
    crypto.getRandomValues(bytes)
    // 248 is the largest multiple of 62 in a byte: skipping the rest keeps every character equally likely.
    for (const byte of bytes)
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    out = ALPHABET.charAt(rest % 62) + out
    rest = Math.floor(rest / 62)
  }
  return out
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
  return c >>> 0
})

function crc32(ascii: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < ascii.length; i++) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ ascii.charCodeAt(i)) & 0xff] ?? 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
