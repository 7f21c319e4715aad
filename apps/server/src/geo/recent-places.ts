import type { Place } from './place.ts'

/** How many places share a shelf. */
const shelfSize = 4

/**
 * The places asked for last. An address has its place on one shelf of four, and on a shelf the least
 * recently used one goes when a new one comes. So there is one bound for memory and one for the work
 * of a call, with nothing to allocate or to move house; a Map in order of use costs several times as
 * much. Somebody who chooses addresses that fall on one shelf only makes that shelf forget.
 */
export class RecentPlaces {
  readonly #mask: number
  readonly #addresses: (string | undefined)[]
  readonly #places: (Place | undefined)[]

  /** The capacity is rounded down to four times a power of two; below four nothing is remembered. */
  constructor(capacity: number) {
    const shelves = capacity < shelfSize ? 0 : 2 ** Math.floor(Math.log2(capacity / shelfSize))
    this.#mask = shelves - 1
    this.#addresses = Array<string | undefined>(shelves * shelfSize).fill(undefined)
    this.#places = Array<Place | undefined>(shelves * shelfSize).fill(undefined)
  }

  get size(): number {
    return this.#places.reduce((count, place) => (place === undefined ? count : count + 1), 0)
  }

  get(ip: string): Place | undefined {
    if (this.#mask === -1) return undefined
    const front = this.#shelfOf(ip)
    for (let at = front; at < front + shelfSize; at += 1) {
      if (this.#addresses[at] !== ip) continue
      const place = this.#places[at]
      if (at > front && place !== undefined) this.#putInFront(front, at, ip, place)
      return place
    }
    return undefined
  }

  /** For an address that get did not know. */
  set(ip: string, place: Place): void {
    if (this.#mask === -1) return
    const front = this.#shelfOf(ip)
    this.#putInFront(front, front + shelfSize - 1, ip, place)
  }

  clear(): void {
    this.#addresses.fill(undefined)
    this.#places.fill(undefined)
  }

  #putInFront(front: number, from: number, ip: string, place: Place): void {
    for (let at = from; at > front; at -= 1) {
      this.#addresses[at] = this.#addresses[at - 1]
      this.#places[at] = this.#places[at - 1]
    }
    this.#addresses[front] = ip
    this.#places[front] = place
  }

  #shelfOf(ip: string): number {
    // Longer than any address: nothing is kept under it, and a long text must not cost long.
    const length = Math.min(ip.length, 45)
    let hash = 0
    for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ ip.charCodeAt(at), 0x0100_0193)
    return ((hash ^ (hash >>> 15)) & this.#mask) * shelfSize
  }
}
