import { crc32 } from 'node:zlib'
import type { Address } from './address.ts'

/**
 * Who announces which addresses, as one block of memory that is also the file of the cache. A header
 * of eight 32-bit words (mark, four counts, size of the names, checksum, nothing), then per IPv4 range
 * its start, end and owner, per IPv6 range the same with four words each, per owner its number and
 * where its name ends, and all names. Words are in the machine's own order: on a machine with the
 * other order the mark does not fit and the table is made anew.
 */
const mark = 0x4d41_5331
const headerWords = 8

export interface Network {
  readonly asn: number
  readonly asnName?: string
}

export interface AsnParts {
  readonly v4: {
    readonly starts: Uint32Array
    readonly ends: Uint32Array
    readonly owners: Uint32Array
  }
  readonly v6: {
    readonly starts: Uint32Array
    readonly ends: Uint32Array
    readonly owners: Uint32Array
  }
  readonly asns: Uint32Array
  readonly nameEnds: Uint32Array
  readonly names: Uint8Array
}

export function encodeAsnTable({ v4, v6, asns, nameEnds, names }: AsnParts): Uint8Array {
  const sections = [v4.starts, v4.ends, v4.owners, v6.starts, v6.ends, v6.owners, asns, nameEnds]
  const wordCount = headerWords + sections.reduce((sum, section) => sum + section.length, 0)
  const bytes = new Uint8Array(wordCount * 4 + names.length)
  const words = new Uint32Array(bytes.buffer, 0, wordCount)
  words.set([mark, v4.owners.length, v6.owners.length, asns.length, names.length])
  let at = headerWords
  for (const section of sections) {
    words.set(section, at)
    at += section.length
  }
  bytes.set(names, wordCount * 4)
  words[headerWords - 2] = checksum(bytes)
  return bytes
}

/** Undefined when the bytes are not a whole and sound table. `bytes` must begin its own buffer. */
export function decodeAsnTable(bytes: Uint8Array): AsnTable | undefined {
  if (bytes.byteOffset % 4 !== 0 || bytes.length < headerWords * 4) return undefined
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, headerWords)
  const [found, v4 = 0, v6 = 0, owners = 0, nameBytes = 0, , sum] = header
  const wordCount = headerWords + v4 * 3 + v6 * 9 + owners * 2
  if (found !== mark || bytes.length !== wordCount * 4 + nameBytes) return undefined
  if (sum !== checksum(bytes)) return undefined

  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, wordCount)
  let at = headerWords
  const take = (count: number): Uint32Array => words.subarray(at, (at += count))
  return new AsnTable({
    v4: { starts: take(v4), ends: take(v4), owners: take(v4) },
    v6: { starts: take(v6 * 4), ends: take(v6 * 4), owners: take(v6) },
    asns: take(owners),
    nameEnds: take(owners),
    names: bytes.subarray(wordCount * 4),
  })
}

/** Of everything but the place of the checksum itself. */
function checksum(bytes: Uint8Array): number {
  const before = crc32(bytes.subarray(0, (headerWords - 2) * 4))
  return crc32(bytes.subarray((headerWords - 1) * 4), before)
}

export class AsnTable {
  readonly #parts: AsnParts
  readonly #names: Buffer

  constructor(parts: AsnParts) {
    this.#parts = parts
    const { buffer, byteOffset, length } = parts.names
    this.#names = Buffer.from(buffer, byteOffset, length)
  }

  get ranges(): number {
    return this.#parts.v4.owners.length + this.#parts.v6.owners.length
  }

  find({ v4, v6 }: Pick<Address, 'v4' | 'v6'>): Network | undefined {
    return this.#owner(v4 === undefined ? this.#inV6(v6) : this.#inV4(v4))
  }

  #inV4(address: number): number | undefined {
    const { starts, ends, owners } = this.#parts.v4
    const at = lastNotAfter(owners.length, (index) => (starts[index] ?? 0) <= address)
    return at >= 0 && address <= (ends[at] ?? 0) ? owners[at] : undefined
  }

  #inV6(address: readonly number[]): number | undefined {
    const { starts, ends, owners } = this.#parts.v6
    const at = lastNotAfter(owners.length, (index) => compareWords(starts, index, address) <= 0)
    return at >= 0 && compareWords(ends, at, address) >= 0 ? owners[at] : undefined
  }

  #owner(owner: number | undefined): Network | undefined {
    if (owner === undefined) return undefined
    const { asns, nameEnds } = this.#parts
    const asn = asns[owner] ?? 0
    const from = owner === 0 ? 0 : (nameEnds[owner - 1] ?? 0)
    const asnName = this.#names.toString('utf8', from, nameEnds[owner])
    return asnName === '' ? { asn } : { asn, asnName }
  }
}

/** The last index of 0..count-1 for which it holds, where it holds for a first part; -1 for none. */
function lastNotAfter(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}

function compareWords(list: Uint32Array, index: number, address: readonly number[]): number {
  for (let word = 0; word < 4; word += 1) {
    const difference = (list[index * 4 + word] ?? 0) - (address[word] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
