import { performance } from 'node:perf_hooks'
import { dispatchTo, type DispatchDeps } from './dispatch.ts'
import { listReady, readStoreMark } from './dispatch.repo.ts'

const LOOK_ALL_MS = 900
/** A batch may be counted a moment before its transaction has a number to wait for. */
const DOUBT_MS = 5_000

/**
 * Looks only where something may have happened. With nothing stored anywhere, a pass reads the
 * list of webhooks and one counter; with no webhook, not even that list is long.
 */
export class Dispatcher {
  readonly #deps: DispatchDeps
  readonly #monotonicMs: () => number
  /** Webhooks behind whose position nothing was found since anything was stored. */
  readonly #idle = new Set<string>()
  readonly #hinted = new Set<string>()
  #batches = -1
  #untilXid = '0'
  /** Whether a transaction from before the last change may still be under way. */
  #open = true
  #doubtUntilMs = 0
  #lookedAtAllMs = -Infinity

  /** `monotonicMs` tells how much time passes here, whatever the clock on the wall says. */
  constructor(deps: DispatchDeps, monotonicMs: () => number = () => performance.now()) {
    this.#deps = deps
    this.#monotonicMs = monotonicMs
  }

  /** Events of these apps were stored. */
  hint(appIds: Iterable<string>): void {
    for (const appId of appIds) this.#hinted.add(appId)
  }

  /** Whatever is known about quiet webhooks is forgotten. */
  forget(): void {
    this.#idle.clear()
  }

  /** Answers whether there may be more to do at once. */
  async pass(): Promise<boolean> {
    const { db, clock } = this.#deps
    const hinted = new Set(this.#hinted)
    this.#hinted.clear()
    if (await this.#mayHaveMissedSome()) this.#idle.clear()
    let more = false
    for (const webhook of await listReady(db, new Date(clock.now()))) {
      if (this.#idle.has(webhook.id) && !hinted.has(webhook.appId)) continue
      if (await dispatchTo(webhook, this.#deps)) more = true
      else this.#idle.add(webhook.id)
    }
    return more
  }

  /**
   * Once a second: whether any node stored anything, or something that was stored before may have
   * become readable only now because another transaction ended.
   */
  async #mayHaveMissedSome(): Promise<boolean> {
    const nowMs = this.#monotonicMs()
    if (nowMs - this.#lookedAtAllMs < LOOK_ALL_MS) return false
    this.#lookedAtAllMs = nowMs
    const { batches, nextXid, ended } = await readStoreMark(this.#deps.db, this.#untilXid)
    const wasOpen = this.#open
    this.#open = !ended
    if (batches !== this.#batches) {
      this.#batches = batches
      this.#untilXid = nextXid
      this.#open = true
      this.#doubtUntilMs = nowMs + DOUBT_MS
    }
    // One more look when all have ended: the last one may have been just too early.
    return wasOpen || this.#open || nowMs < this.#doubtUntilMs
  }
}
