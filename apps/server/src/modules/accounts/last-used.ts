import type { Db } from '../../db/database.ts'
import { writeLastUsed } from './api-keys.repo.ts'

const KEYS_MAX = 10_000

/** Remembers when keys were used and writes them together once a minute. */
export class LastUsed {
  #uses = new Map<string, number>()

  note(keyId: string, now: number): void {
    if (this.#uses.size < KEYS_MAX || this.#uses.has(keyId)) this.#uses.set(keyId, now)
  }

  async flush(db: Db): Promise<void> {
    const uses = this.#uses
    this.#uses = new Map()
    await writeLastUsed(db, uses)
  }
}
