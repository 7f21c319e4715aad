import type { AsnParts } from './asn-table.ts'
import { GrowingWords } from './growing-words.ts'

/** Ranges in rising order that do not overlap, which is what the search by halves relies on. */
export class Ranges {
  readonly #wordsEach: number
  readonly #starts = new GrowingWords()
  readonly #ends = new GrowingWords()
  readonly #owners = new GrowingWords()
  #lastEnd: readonly number[] | undefined
  skipped = 0

  constructor(wordsEach: 1 | 4) {
    this.#wordsEach = wordsEach
  }

  skip(): void {
    this.skipped += 1
  }

  add(start: readonly number[], end: readonly number[], owner: number): void {
    const rises = this.#lastEnd === undefined || compare(start, this.#lastEnd) > 0
    if (!rises || compare(end, start) < 0) return this.skip()
    for (let word = 0; word < this.#wordsEach; word += 1) {
      this.#starts.push(start[word] ?? 0)
      this.#ends.push(end[word] ?? 0)
    }
    this.#owners.push(owner)
    this.#lastEnd = end
  }

  parts(): AsnParts['v4'] {
    return {
      starts: this.#starts.view(),
      ends: this.#ends.view(),
      owners: this.#owners.view(),
    }
  }
}

/** Every network once, with the name that came first; half a million rows name ninety thousand. */
export class Owners {
  readonly #indexes = new Map<number, number>()
  readonly #asns = new GrowingWords()
  readonly #nameEnds = new GrowingWords()
  #names = Buffer.allocUnsafeSlow(2 ** 20)
  #nameBytes = 0

  /** `nameIn` is asked for a network that was not seen before: its bytes as Latin-1, maybe quoted. */
  indexOf(asn: number | undefined, nameIn: () => string): number | undefined {
    if (asn === undefined || asn === 0) return undefined
    const known = this.#indexes.get(asn)
    if (known !== undefined) return known
    const index = this.#asns.length
    this.#indexes.set(asn, index)
    this.#asns.push(asn)
    this.#keep(unquoted(nameIn().trim()))
    this.#nameEnds.push(this.#nameBytes)
    return index
  }

  /** One block for all names: ninety thousand small ones would keep the garbage collector busy. */
  #keep(name: string): void {
    if (this.#nameBytes + name.length > this.#names.length) {
      const larger = Buffer.allocUnsafeSlow((this.#nameBytes + name.length) * 2)
      this.#names.copy(larger)
      this.#names = larger
    }
    this.#nameBytes += this.#names.write(name, this.#nameBytes, 'latin1')
  }

  parts(): Pick<AsnParts, 'asns' | 'nameEnds' | 'names'> {
    return {
      asns: this.#asns.view(),
      nameEnds: this.#nameEnds.view(),
      names: this.#names.subarray(0, this.#nameBytes),
    }
  }
}

function unquoted(text: string): string {
  const quoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"')
  return quoted ? text.slice(1, -1).replaceAll('""', '"') : text
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, word] of a.entries()) {
    const difference = word - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
