import { performance } from 'node:perf_hooks'
import type { Clock } from '@merlon/base'
import type { Db } from '../db/database.ts'
import { JobAborted, type AbortReason, type JobDefinition, type JobLog } from './job.ts'
import { jsonText } from './json-text.ts'
import { writeCheckpoint, writeProgress, type Lease, type TakenJob } from './lease.repo.ts'
import { persist, withDeadline } from './outage.ts'
import type { Outcome } from './outcome.ts'

export interface RunOptions {
  readonly job: TakenJob
  readonly definition: JobDefinition
  readonly worker: string
  readonly db: Db
  readonly clock: Clock
  readonly log: JobLog
  readonly leaseMs: number
  /** How long a handler may go on after its signal before it is left alone. */
  readonly graceMs: number
}

/** One attempt at one job, in this process. */
export interface Run {
  readonly job: TakenJob
  readonly outcome: Promise<Outcome>
  aborted(): AbortReason | undefined
  /** False once so much time has passed without a renewal that another worker may have the job. */
  holdsLease(): boolean
  renewed(sinceMs: number): void
  abort(reason: AbortReason, graceMs?: number): void
}

export function startRun(options: RunOptions, takenAtMs: number): Run {
  const { job, db, leaseMs } = options
  const lease: Lease = { id: job.id, attempt: job.attempt, worker: options.worker }
  const controller = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  let reason: AbortReason | undefined
  let hasEnded = false
  let leaseUntilMs = takenAtMs + leaseMs
  let leaseTimer: NodeJS.Timeout | undefined
  let leaveAlone: (outcome: Outcome) => void = () => undefined
  const leftAlone = new Promise<Outcome>((resolve) => (leaveAlone = resolve))

  const later = (ms: number, act: () => void) => timers.add(setTimeout(act, Math.max(0, ms)))

  function abort(why: AbortReason, graceMs = options.graceMs): void {
    if (hasEnded) return
    // Whatever else was going on: without the lease, nothing may be written.
    if (reason === undefined || why === 'lease-lost') reason = why
    const error = new JobAborted(reason)
    controller.abort(error)
    later(graceMs, () => leaveAlone({ threw: error }))
  }

  function watchLease(): void {
    clearTimeout(leaseTimer)
    if (hasEnded) return
    leaseTimer = setTimeout(
      () => abort('lease-lost'),
      Math.max(0, leaseUntilMs - performance.now()),
    )
  }

  const holdsLease = () => reason !== 'lease-lost' && performance.now() < leaseUntilMs

  async function saveCheckpoint(data: unknown, tx?: Db): Promise<void> {
    const text = jsonText(data)
    const write = () => withDeadline(writeCheckpoint(tx ?? db, lease, text), leaseMs)
    // A broken transaction cannot be mended from here; outside of one, an outage can be sat out.
    const written = tx === undefined ? await persist(write, holdsLease) : await write()
    if (written) return
    abort('lease-lost')
    throw new JobAborted('lease-lost')
  }

  const progress = newestOnly(async (data) => {
    const written = await withDeadline(writeProgress(db, lease, jsonText(data)), leaseMs)
    if (!written) abort('lease-lost')
  }, options.log)

  async function perform(): Promise<Outcome> {
    const { definition, log, clock } = options
    const handler = invoke(() =>
      definition.run({
        id: job.id,
        appId: job.appId ?? undefined,
        payload: job.payload,
        checkpoint: job.checkpoint ?? undefined,
        attempt: job.attempt,
        signal: controller.signal,
        db,
        clock,
        log,
        saveCheckpoint,
        progress: (data) => progress.offer(data),
      }),
    )
    watchLease()
    if (definition.timeoutMs !== undefined) later(definition.timeoutMs, () => abort('timeout'))
    const outcome = await Promise.race([handler, leftAlone])
    // The last word on progress is written before the end, or the lease would refuse it.
    await Promise.race([progress.written(), leftAlone])
    hasEnded = true
    for (const timer of [...timers, leaseTimer]) clearTimeout(timer)
    return outcome
  }

  return {
    job,
    outcome: perform(),
    aborted: () => reason,
    holdsLease,
    abort,
    renewed(sinceMs) {
      leaseUntilMs = sinceMs + leaseMs
      watchLease()
    },
  }
}

/** Never rejects, also when the handler throws before its first await. */
async function invoke(handler: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { returned: await handler() }
  } catch (error) {
    return { threw: error }
  }
}

/** Writes one value at a time; of those offered meanwhile only the newest is kept. */
function newestOnly(write: (data: unknown) => Promise<void>, log: JobLog) {
  let next: { readonly data: unknown } | undefined
  let writing: Promise<void> | undefined
  async function writeNext(): Promise<void> {
    while (next !== undefined) {
      const { data } = next
      next = undefined
      await write(data).catch((error: unknown) => {
        log.warn({ err: error }, 'the progress of a job could not be written')
      })
    }
    writing = undefined
  }
  return {
    offer(data: unknown): void {
      next = { data }
      writing ??= writeNext()
    },
    written: async () => writing,
  }
}
