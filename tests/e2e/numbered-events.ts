import { ask } from '../../apps/server/testing/server-process.ts'

/** Reserved for documentation, and three of well-known resolvers: some with a country, some without. */
const ips = ['192.0.2.1', '8.8.8.8', '1.1.1.1', '9.9.9.9', '2001:db8::1']
const kinds = [
  { type: 'request.blocked', module: 'shield' },
  { type: 'request.allowed', module: 'shield' },
  { type: 'data.read', module: 'vault' },
  { type: 'custom.note', module: 'custom' },
] as const
const severities = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const

/** The event with this number: the same whenever it is sent, and known again by its id. */
export function numberedEvent(n: number): Record<string, unknown> {
  return {
    ...kinds[n % kinds.length],
    severity: severities[n % severities.length],
    title: `Number ${n}`,
    ip: ips[n % ips.length],
    userId: `user-${n % 50}`,
    id: `number-${n}`,
    payload: { n, ...(n % 7 === 0 ? { attackType: 'sqli' } : {}) },
  }
}

/**
 * A client that keeps sending numbered events over several connections and keeps book of what was
 * acknowledged. What was not is sent again, under the same ids, in whatever batches come up.
 */
export class NumberedSender {
  readonly acknowledged = new Set<number>()
  /** Every answer that was not 201, by status; 0 stands for no answer at all. */
  readonly refusals = new Map<number, number>()
  readonly #appKey: string
  readonly #open: number[] = []
  #url: string | undefined
  #last: number
  #stopped = false
  #lanes: Promise<void>[] = []

  /** Numbers begin behind `first`, so that two senders of one app do not share any. */
  constructor(appKey: string, first = 0) {
    this.#appKey = appKey
    this.#last = first
  }

  get lastNumber(): number {
    return this.#last
  }

  /** Where to send; undefined while there is nobody. */
  set url(url: string | undefined) {
    this.#url = url
  }

  start(lanes: number): void {
    this.#lanes = Array.from({ length: lanes }, () => this.#send())
  }

  /** Ends with every number acknowledged that was ever sent, or throws after the given time. */
  async finish(maxMs: number): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#lanes)
    const until = Date.now() + maxMs
    while (this.#open.length > 0 && Date.now() < until) await this.#sendBatch(false)
    if (this.#open.length > 0) throw new Error(`${this.#open.length} events were never taken.`)
  }

  async #send(): Promise<void> {
    while (!this.#stopped) await this.#sendBatch(true)
  }

  async #sendBatch(fresh: boolean): Promise<void> {
    const url = this.#url
    if (url === undefined) return pause(5)
    const size = Math.random() < 0.3 ? 1 : 1 + Math.floor(Math.random() * 100)
    const numbers = this.#open.splice(0, size)
    while (fresh && numbers.length < size) numbers.push(++this.#last)
    const body = numbers.map(numberedEvent)
    const reply = await ask<{ count: number }>(url, '/api/events/ingest', {
      method: 'POST',
      appKey: this.#appKey,
      body: body.length === 1 ? body[0] : body,
    }).catch(() => undefined)
    if (reply?.status === 201 && reply.data.count === numbers.length) {
      for (const n of numbers) this.acknowledged.add(n)
      return
    }
    const status = reply?.status ?? 0
    this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1)
    this.#open.push(...numbers)
    await pause(20)
  }
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
