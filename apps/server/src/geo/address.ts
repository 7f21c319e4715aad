import { parseIp, reservedRange } from '@merlon/base'

/** A public address, in the form in which each kind of data wants it. */
export interface Address {
  /** As text; an IPv4 address that came mapped into IPv6 is plain here. */
  readonly text: string
  /** IPv4 as one number. */
  readonly v4: number | undefined
  /** IPv6 as four numbers. */
  readonly v6: readonly number[]
}

const noWords: readonly number[] = []

/** Undefined for what is no address, and for addresses that are nowhere: private, reserved. */
export function publicAddress(ip: string): Address | undefined {
  if (reservedRange(ip) !== undefined) return undefined
  if (!ip.includes(':')) return { text: ip, v4: v4Number(ip), v6: noWords }
  const words = parseIp(ip)
  if (words === undefined) return undefined
  const v6 = fourWords(words)
  const [first, second, third, last = 0] = v6
  if (first !== 0 || second !== 0 || third !== 0xffff) return { text: ip, v4: undefined, v6 }
  const text = [last >>> 24, (last >>> 16) & 0xff, (last >>> 8) & 0xff, last & 0xff].join('.')
  return { text, v4: last, v6: noWords }
}

/** From the eight 16-bit words of parseIp. */
export function fourWords(words: readonly number[]): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words
  return [
    ((a << 16) | b) >>> 0,
    ((c << 16) | d) >>> 0,
    ((e << 16) | f) >>> 0,
    ((g << 16) | h) >>> 0,
  ]
}

/** Of a text that is known to be an IPv4 address. */
function v4Number(text: string): number {
  let value = 0
  let part = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x2e) {
      value = value * 256 + part
      part = 0
    } else {
      part = part * 10 + code - 0x30
    }
  }
  return value * 256 + part
}
