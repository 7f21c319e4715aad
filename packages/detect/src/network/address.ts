import { parseIp, reservedRange } from '@merlon/base'

/** Whether an address can stand on a map: private and loopback ones have no place. */
export function hasPlace(ip: string): boolean {
  const reserved = reservedRange(ip)
  // Documentation ranges are nobody's private network, and examples that are given a country should work.
  return reserved === undefined || reserved === 'documentation'
}

/** The network one party usually controls as a whole: /24 of IPv4, /64 of IPv6. */
export function networkOf(ip: string): string | undefined {
  const words = parseIp(ip)
  if (words === undefined) return undefined
  const isV4 = words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0)
  if (isV4) {
    const [high = 0, low = 0] = words.slice(6)
    return `${high >> 8}.${high & 255}.${low >> 8}.0/24`
  }
  const prefix = words.slice(0, 4).map((word) => word.toString(16))
  return `${prefix.join(':')}::/64`
}
