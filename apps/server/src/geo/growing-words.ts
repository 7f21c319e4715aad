/** 32-bit words of which nobody knows beforehand how many there will be. */
export class GrowingWords {
  #words = new Uint32Array(16_384)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(word: number): void {
    if (this.#length === this.#words.length) {
      const larger = new Uint32Array(this.#length * 2)
      larger.set(this.#words)
      this.#words = larger
    }
    this.#words[this.#length] = word
    this.#length += 1
  }

  view(): Uint32Array {
    return this.#words.subarray(0, this.#length)
  }
}
