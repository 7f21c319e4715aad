import type { Clock } from '@merlon/base'
import type { Principal } from './principal.ts'

const ENTRIES_MAX = 20_000
/** How long a resolved credential is believed while change notices arrive. */
const TRUSTED_MS = 30_000
/** An unknown key is remembered shortly, so that a flood of one bad key does not reach the database. */
const UNKNOWN_MS = 2_000

interface Entry {
  readonly principal: Principal | undefined
  readonly until: number
}

/**
 * Resolved credentials by their keyed hash. Any change of accounts, keys or apps empties it, on
 * this node at once and on the others by a database notice; without the notice channel nothing is
 * kept, because a revoked key must stop working within a second.
 */
export class CredentialCache {
  #entries = new Map<string, Entry>()
  #connected = false
  #generation = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  setConnected(connected: boolean): void {
    this.#connected = connected
    this.clear()
  }

  clear(): void {
    this.#entries.clear()
    this.#generation++
  }

  async resolve<P extends Principal>(
    hash: Buffer,
    load: () => Promise<P | undefined>,
  ): Promise<P | undefined> {
    const key = hash.toString('latin1')
    const now = this.#clock.now()
    const entry = this.#entries.get(key)
    if (entry !== undefined && entry.until > now)
      return notExpired(entry.principal as P | undefined, now)
    const generation = this.#generation
    const principal = await load()
    // A change that came while we asked makes the answer too old to keep.
    if (this.#connected && generation === this.#generation) {
      if (this.#entries.size >= ENTRIES_MAX) this.#entries.clear()
      const keptMs = principal === undefined ? UNKNOWN_MS : TRUSTED_MS
      this.#entries.set(key, { principal, until: now + keptMs })
    }
    return notExpired(principal, now)
  }
}

function notExpired<P extends Principal>(principal: P | undefined, now: number): P | undefined {
  if (principal?.expiresAt !== undefined && principal.expiresAt <= now) return undefined
  return principal
}
