import type { Clock } from '@merlon/base'
import type { Db } from '../db/database.ts'
import { settleJobs, type Settlement } from './lease.repo.ts'
import { isOutage, persist, withDeadline } from './outage.ts'
import { describeError } from './outcome.ts'

export interface Settler {
  /** True when the write was accepted, false when the lease was another worker's by then. */
  settle(settlement: Settlement, isWorthIt: () => boolean): Promise<boolean>
}

interface Waiting {
  readonly settlement: Settlement
  readonly isWorthIt: () => boolean
  resolve(accepted: boolean): void
  reject(error: unknown): void
}

const BATCH_MAX = 200

/**
 * Writes the ends of jobs. Those that end while a write is under way go together in the next one,
 * so that short jobs cost a fraction of a commit each and a single job waits for nobody.
 */
export function createSettler(options: {
  readonly db: Db
  readonly worker: string
  readonly clock: Clock
  readonly deadlineMs: number
}): Settler {
  const { db, worker, clock, deadlineMs } = options
  let waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    if (isWriting) return
    isWriting = true
    // Whatever ends in the same turn of the event loop belongs to the first batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX)
      waiting = waiting.slice(BATCH_MAX)
      await writeBatch(batch)
    }
    isWriting = false
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const accepted = await write(
        batch,
        batch.map((entry) => entry.settlement),
      )
      for (const entry of batch) entry.resolve(accepted.has(entry.settlement.id))
    } catch (error) {
      if (isOutage(error)) for (const entry of batch) entry.reject(error)
      // One end that the database refuses must not hold back the others.
      else for (const entry of batch) await writeAlone(entry)
    }
  }

  async function writeAlone(entry: Waiting): Promise<void> {
    const { id, attempt } = entry.settlement
    const refused = (error: unknown): Settlement => ({
      id,
      attempt,
      status: 'failed',
      error: `The end of the job could not be written: ${describeError(error)}`,
    })
    try {
      const accepted = await write([entry], [entry.settlement]).catch((error: unknown) =>
        write([entry], [refused(error)]),
      )
      entry.resolve(accepted.has(id))
    } catch (error) {
      entry.reject(error)
    }
  }

  async function write(
    batch: readonly Waiting[],
    settlements: readonly Settlement[],
  ): Promise<ReadonlySet<string>> {
    const ids = await persist(
      () => withDeadline(settleJobs(db, worker, settlements, new Date(clock.now())), deadlineMs),
      () => batch.some((entry) => entry.isWorthIt()),
    )
    return new Set(ids)
  }

  return {
    settle: (settlement, isWorthIt) =>
      new Promise((resolve, reject) => {
        waiting.push({ settlement, isWorthIt, resolve, reject })
        void writeAll()
      }),
  }
}
