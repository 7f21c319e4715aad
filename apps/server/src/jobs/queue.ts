import { createId, type Clock } from '@merlon/base'
import type { Db } from '../db/database.ts'
import { jsonText } from './json-text.ts'
import { cancelJob, findLiveJobId, insertJob, type JobStatus } from './queue.repo.ts'

export interface JobRequest {
  readonly kind: string
  readonly payload: unknown
  /** The job goes when its app goes. */
  readonly appId?: string
  /** While a job of this kind with this key is queued or running, that one is answered instead. */
  readonly uniqueKey?: string
  readonly runAt?: Date
  /** Higher runs first; 0 unless told. */
  readonly priority?: number
  /** Overrides what the job's definition says. */
  readonly attemptsMax?: number
}

/** A key can come free between the two questions; more than a few times in a row it cannot. */
const RACES_MAX = 10

/** Inside a transaction the job exists when that commits, and no worker sees it before. */
export async function enqueue(db: Db, request: JobRequest, clock: Clock): Promise<string> {
  const now = clock.now()
  const job = {
    id: createId('job', now),
    kind: request.kind,
    payloadText: jsonText(request.payload),
    appId: request.appId ?? null,
    uniqueKey: request.uniqueKey ?? null,
    priority: request.priority ?? 0,
    attemptsMax: request.attemptsMax ?? null,
    runAt: request.runAt ?? new Date(now),
    createdAt: new Date(now),
  }
  for (let race = 0; race < RACES_MAX; race++) {
    const added = await insertJob(db, job)
    if (added !== undefined) return added
    const existing =
      job.uniqueKey === null ? undefined : await findLiveJobId(db, job.kind, job.uniqueKey)
    if (existing !== undefined) return existing
  }
  throw new Error(`A job ${request.kind} with the key ${request.uniqueKey} could not be enqueued.`)
}

/** Answers the status right after, or undefined where nothing was left to cancel. */
export async function requestCancel(
  db: Db,
  id: string,
  clock: Clock,
): Promise<JobStatus | undefined> {
  return cancelJob(db, id, new Date(clock.now()))
}
