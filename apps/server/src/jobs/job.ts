import type { Clock } from '@merlon/base'
import type { Db } from '../db/database.ts'

/** The part of the logger that jobs use. */
export interface JobLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type AbortReason = 'cancelled' | 'lease-lost' | 'shutdown' | 'timeout'

/** What `signal.reason` holds, so that `signal.throwIfAborted()` says why. */
export class JobAborted extends Error {
  readonly reason: AbortReason

  constructor(reason: AbortReason) {
    super(SENTENCES[reason])
    this.name = 'JobAborted'
    this.reason = reason
  }
}

const SENTENCES: Readonly<Record<AbortReason, string>> = {
  cancelled: 'The job was cancelled.',
  'lease-lost': 'The lease of the job ran out, so another worker may have it.',
  shutdown: 'The worker is stopping; another one goes on with the job.',
  timeout: 'The job took longer than it may.',
}

/** Thrown by a handler when another attempt could not end differently. */
export class PermanentJobError extends Error {
  override readonly name = 'PermanentJobError'
}

export interface JobRun<Payload = unknown, Checkpoint = unknown> {
  readonly id: string
  readonly appId: string | undefined
  readonly payload: Payload
  /** What the last `saveCheckpoint` of an earlier attempt wrote. */
  readonly checkpoint: Checkpoint | undefined
  /** 1 on the first attempt. An attempt handed back by a stopping worker is not counted. */
  readonly attempt: number
  /** Aborted with a JobAborted. To stop early, throw; returning means that the work is done. */
  readonly signal: AbortSignal
  readonly db: Db
  readonly clock: Clock
  readonly log: JobLog
  /**
   * Where the next attempt starts if this one dies. With `tx`, the checkpoint becomes true together
   * with what that transaction wrote, so nothing is done twice. Throws once the lease is lost.
   */
  saveCheckpoint(this: void, data: Checkpoint, tx?: Db): Promise<void>
  /** For people who watch. Only the newest value is worth writing, so a flood of them is cheap. */
  progress(this: void, data: unknown): void
}

export interface JobDefinition<Payload = unknown, Checkpoint = unknown> {
  readonly kind: string
  readonly attemptsMax?: number
  readonly timeoutMs?: number
  /** What it returns is kept as the job's result. */
  run(job: JobRun<Payload, Checkpoint>): Promise<unknown>
}

export const ATTEMPTS_MAX_DEFAULT = 5

export function defineJob<Payload = unknown, Checkpoint = unknown>(
  definition: JobDefinition<Payload, Checkpoint>,
): JobDefinition<Payload, Checkpoint> {
  return definition
}
