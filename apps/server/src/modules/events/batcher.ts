import type pg from 'pg'
import { problem } from '../../http/problem.ts'
import { storeBatch, type Remembered } from './store.repo.ts'
import type { StoredEvent } from './stored-event.ts'

export interface Submission {
  readonly events: readonly StoredEvent[]
  readonly remember: Remembered | undefined
}

interface Waiting extends Submission {
  readonly since: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface BatcherOptions {
  readonly pool: pg.Pool
  readonly now: () => number
  /** `forDetector`: some of them wait to be looked at. */
  readonly onStored: (appIds: ReadonlySet<string>, forDetector: boolean) => void
  readonly queueEventsMax?: number
  readonly queueAgeMsMax?: number
}

const BATCH_EVENTS_MAX = 2_000
const IN_FLIGHT_MAX = 2
const SECOND_WRITER_EVENTS = 16

/**
 * Puts the events of many requests into one transaction: a commit costs the same for one event as
 * for a thousand. While a write is under way the next batch gathers, so the batch size follows the
 * load by itself and a lone event waits for nobody.
 */
export class Batcher {
  readonly #options: Required<BatcherOptions>
  readonly #queue: Waiting[] = []
  #queued = 0
  #inFlight = 0
  #scheduled = false
  #idle: (() => void)[] = []

  constructor(options: BatcherOptions) {
    this.#options = { queueEventsMax: 50_000, queueAgeMsMax: 2_000, ...options }
  }

  get queuedEvents(): number {
    return this.#queued
  }

  /** Resolves once the events are on disk. Refuses at once when the writers cannot keep up. */
  async submit(submission: Submission): Promise<void> {
    const { now, queueEventsMax, queueAgeMsMax } = this.#options
    const oldest = this.#queue[0]
    const tooMany = this.#queued + submission.events.length > queueEventsMax
    if (tooMany || (oldest !== undefined && now() - oldest.since > queueAgeMsMax)) {
      throw problem(
        'unavailable',
        'More events are coming in than can be written. Send them again in a moment.',
        {
          headers: { 'retry-after': '1' },
        },
      )
    }
    await new Promise<void>((resolve, reject) => {
      const { events, remember } = submission
      this.#queue.push({ events, remember, since: now(), resolve, reject })
      this.#queued += submission.events.length
      this.#schedule()
    })
  }

  /** Until everything that was submitted is written. */
  async drain(): Promise<void> {
    if (this.#queue.length === 0 && this.#inFlight === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** One turn of the event loop lets the other requests of the same turn join. */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= this.#writersWorthIt()) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      void this.#flush()
    })
  }

  /** Small batches are better gathered than written side by side: a commit costs more than its rows. */
  #writersWorthIt(): number {
    return this.#queued >= SECOND_WRITER_EVENTS ? IN_FLIGHT_MAX : 1
  }

  async #flush(): Promise<void> {
    const batch = this.#takeBatch()
    if (batch.length === 0) return
    this.#inFlight++
    if (this.#queue.length > 0) this.#schedule()
    try {
      await this.#write(batch)
    } finally {
      this.#inFlight--
      if (this.#queue.length > 0) this.#schedule()
      else if (this.#inFlight === 0) this.#idle.splice(0).forEach((tell) => tell())
    }
  }

  #takeBatch(): Waiting[] {
    const batch: Waiting[] = []
    let events = 0
    while (
      this.#queue[0] !== undefined &&
      (batch.length === 0 || events + this.#queue[0].events.length <= BATCH_EVENTS_MAX)
    ) {
      const next = this.#queue.shift()
      if (next === undefined) break
      events += next.events.length
      batch.push(next)
    }
    this.#queued -= events
    return batch
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#store(batch)
      const appIds = new Set<string>()
      for (const { events, resolve } of batch) {
        if (events[0] !== undefined) appIds.add(events[0].appId)
        resolve()
      }
      const forDetector = batch.some(({ events }) => events.some((event) => event.inbox !== null))
      this.#options.onStored(appIds, forDetector)
    } catch (error) {
      // One request's rows must not fail its neighbours': each is tried by itself.
      if (batch.length > 1 && isRefusal(error))
        await Promise.all(batch.map((one) => this.#write([one])))
      else batch.forEach(({ reject }) => reject(isRefusal(error) ? error : unreachable(error)))
    }
  }

  async #store(batch: readonly Submission[]): Promise<void> {
    const client = await this.#options.pool.connect()
    let broken: Error | undefined
    try {
      const events =
        batch.length === 1 ? (batch[0]?.events ?? []) : batch.flatMap((one) => one.events)
      await storeBatch(
        client,
        events,
        batch.flatMap((one) => one.remember ?? []),
      )
    } catch (error) {
      if (!isRefusal(error)) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Connection lost, out of resources, shutting down: nothing was said about the rows. */
const NOT_ABOUT_ROWS = /^(08|53|57)/

/**
 * The database looked at the rows and said no, as opposed to not answering. The code tells: the
 * severity comes in the language of the server.
 */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !NOT_ABOUT_ROWS.test(code)
}

function unreachable(cause: unknown): Error {
  return problem('unavailable', 'The events could not be written. Send them again in a moment.', {
    cause,
    headers: { 'retry-after': '1' },
  })
}
