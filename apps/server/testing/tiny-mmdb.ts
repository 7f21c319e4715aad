/** Values that a record may hold; whole numbers are written as uint32, others as doubles. */
type Value = string | number | { readonly [name: string]: Value }

interface TinyMmdb {
  readonly databaseType: string
  readonly ipVersion: 4 | 6
  /** The bits of a network, such as "00000001" for 1.0.0.0/8 in an IPv4 tree, and its record. */
  readonly networks: readonly (readonly [bits: string, record: Value])[]
}

type Node = [Node | number | undefined, Node | number | undefined]

/** Writes a MaxMind DB file of a few networks (format 2.0, records of 24 bits). */
export function tinyMmdb({ databaseType, ipVersion, networks }: TinyMmdb): Buffer {
  const root: Node = [undefined, undefined]
  const nodes: Node[] = [root]
  const data: Buffer[] = []
  let dataBytes = 0
  for (const [bits, record] of networks) {
    let node = root
    for (const bit of bits.slice(0, -1)) {
      const side = bit === '1' ? 1 : 0
      let next = node[side]
      if (!Array.isArray(next)) {
        next = [undefined, undefined]
        node[side] = next
        nodes.push(next)
      }
      node = next
    }
    node[bits.endsWith('1') ? 1 : 0] = dataBytes
    const encoded = encode(record)
    data.push(encoded)
    dataBytes += encoded.length
  }
  const numbers = new Map(nodes.map((node, index) => [node, index]))
  const tree = Buffer.alloc(nodes.length * 6)
  for (const [index, node] of nodes.entries()) {
    for (const [side, target] of node.entries()) {
      const empty = nodes.length
      const pointer = Array.isArray(target)
        ? (numbers.get(target) ?? empty)
        : target === undefined
          ? empty
          : nodes.length + 16 + target
      tree.writeUIntBE(pointer, index * 6 + side * 3, 3)
    }
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_750_000_000,
    database_type: databaseType,
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
  })
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), ...data, mark, metadata])
}

/** The bits of an IPv4 network; in an IPv6 tree they stand behind 96 zeros. */
export function v4Bits(address: string, length: number, ipVersion: 4 | 6): string {
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
  return (ipVersion === 6 ? '0'.repeat(96) : '') + bits.slice(0, length)
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(2, bytes.length), bytes])
  }
  if (typeof value === 'number') {
    const whole = Number.isInteger(value) && value >= 0
    const bytes = Buffer.alloc(whole ? 4 : 8)
    if (whole) bytes.writeUInt32BE(value)
    else bytes.writeDoubleBE(value)
    return Buffer.concat([control(whole ? 6 : 3, bytes.length), bytes])
  }
  const entries = Object.entries(value)
  const content = entries.flatMap(([name, inner]) => [encode(name), encode(inner)])
  return Buffer.concat([control(7, entries.length), ...content])
}

function control(type: number, size: number): Buffer {
  if (size < 29) return Buffer.from([(type << 5) | size])
  if (size < 285) return Buffer.from([(type << 5) | 29, size - 29])
  throw new RangeError('A tiny database has short values')
}
