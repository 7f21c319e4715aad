/** IPv4 and IPv6 addresses as 16 bytes in hexadecimal words; IPv4 stands in its mapped range. */
export function parseIp(text: string): readonly number[] | undefined {
  if (text.length > 45 || text.length < 2) return undefined
  return text.includes(':') ? parseV6(text) : parseV4(text)
}

export function isIp(text: string): boolean {
  return parseIp(text) !== undefined
}

/** Digit by digit: every event's address comes through here, and a split with patterns costs ten times as much. */
function parseV4(text: string): readonly number[] | undefined {
  let address = 0
  let part = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      if (digits === 0 || ++dots > 3) return undefined
      address = address * 256 + part
      part = digits = 0
      continue
    }
    const digit = code - ZERO
    // "010" would be octal to some readers and decimal to others, so it is no address here.
    if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return undefined
    part = part * 10 + digit
    if (++digits > 3 || part > 255) return undefined
  }
  if (dots !== 3 || digits === 0) return undefined
  address = address * 256 + part
  return [0, 0, 0, 0, 0, 0xffff, Math.floor(address / 65_536), address % 65_536]
}

const DOT = 46
const ZERO = 48

function parseV6(text: string): readonly number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = words(halves[0] ?? '')
  const tail = halves.length === 2 ? words(halves[1] ?? '') : []
  if (head === undefined || tail === undefined) return undefined
  if (halves.length === 1) return head.length === 8 ? head : undefined
  const missing = 8 - head.length - tail.length
  return missing < 1 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail]
}

function words(text: string): number[] | undefined {
  if (text === '') return []
  const out: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (part.includes('.') && i === parts.length - 1) {
      const v4 = parseV4(part)
      if (v4 === undefined) return undefined
      out.push(v4[6] ?? 0, v4[7] ?? 0)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined
      out.push(Number.parseInt(part, 16))
    }
  }
  return out
}

interface Range {
  readonly words: readonly number[]
  readonly bits: number
  readonly why: string
}

/** Ranges that no public service lives in; a server that is told to fetch them is being abused. */
const reserved: readonly Range[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local, where clouds keep their metadata'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'IPv4 in disguise'],
  ['64:ff9b::/96', 'translated IPv4'],
  ['64:ff9b:1::/48', 'translated IPv4'],
  ['100::/64', 'discard'],
  ['2001::/32', 'tunnelled IPv4'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'tunnelled IPv4'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
].map(([cidr = '', why = '']) => {
  const [address = '', bits = ''] = cidr.split('/')
  const isV4 = !address.includes(':')
  return { words: parseIp(address) ?? [], bits: Number(bits) + (isV4 ? 96 : 0), why }
})

/** Why this address is not a public one ("loopback", "private", …), or undefined when it is. */
export function reservedRange(ip: string): string | undefined {
  const address = parseIp(ip)
  if (address === undefined) return 'not an address'
  return reserved.find((range) => inRange(address, range))?.why
}

function inRange(address: readonly number[], range: Range): boolean {
  for (let word = 0, left = range.bits; left > 0; word++, left -= 16) {
    const mask = left >= 16 ? 0xffff : (0xffff << (16 - left)) & 0xffff
    if (((address[word] ?? 0) & mask) !== ((range.words[word] ?? 0) & mask)) return false
  }
  return true
}
