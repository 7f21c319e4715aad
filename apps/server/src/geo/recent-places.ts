import type { Place } from './place.ts'

/**
 * The places asked for last, in two generations: a hit in the young one costs a single Map.get, where
 * a strict least-recently-used order would delete and insert on every hit. When the young generation
 * is full it becomes the old one, and what the old one held and nobody asked for again is forgotten.
 */
export class RecentPlaces {
  readonly #half: number
  #young = new Map<string, Place>()
  #old = new Map<string, Place>()

  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(ip: string): Place | undefined {
    const young = this.#young.get(ip)
    if (young !== undefined) return young
    const old = this.#old.get(ip)
    if (old !== undefined) this.set(ip, old)
    return old
  }

  set(ip: string, place: Place): void {
    if (this.#half === 0) return
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(ip, place)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }
}
