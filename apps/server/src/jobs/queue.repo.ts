import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export const HINT_CHANNEL = 'merlon_jobs'

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface Job {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly appId: string | null
  readonly uniqueKey: string | null
  readonly status: JobStatus
  readonly priority: number
  readonly runAt: Date
  readonly attempts: number
  readonly attemptsMax: number | null
  readonly cancelRequested: boolean
  readonly progress: unknown
  readonly checkpoint: unknown
  readonly result: unknown
  readonly error: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

export interface NewJob {
  readonly id: string
  readonly kind: string
  readonly payloadText: string
  readonly appId: string | null
  readonly uniqueKey: string | null
  readonly priority: number
  readonly attemptsMax: number | null
  readonly runAt: Date
  readonly createdAt: Date
}

/**
 * Answers undefined when a live job has the same key. The hint leaves with the caller's commit, and
 * PostgreSQL sends equal hints of one transaction once.
 */
export async function insertJob(db: Db, job: NewJob): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into jobs (id, kind, payload, app_id, unique_key, priority, attempts_max, run_at, created_at)
      values (${job.id}, ${job.kind}, ${job.payloadText}::jsonb, ${job.appId}, ${job.uniqueKey},
              ${job.priority}, ${job.attemptsMax}, ${job.runAt}, ${job.createdAt})
      on conflict (kind, unique_key) where unique_key is not null and status in ('queued', 'running')
      do nothing
      returning id, run_at
    )
    select id, case when run_at <= ${job.createdAt} then pg_notify(${HINT_CHANNEL}, '') end from added
  `.execute(db)
  return rows[0]?.id
}

export async function findLiveJobId(
  db: Db,
  kind: string,
  uniqueKey: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs
    where kind = ${kind} and unique_key = ${uniqueKey} and status in ('queued', 'running')
  `.execute(db)
  return rows[0]?.id
}

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select id, kind, payload, app_id as "appId", unique_key as "uniqueKey", status, priority,
      run_at as "runAt", attempts, attempts_max as "attemptsMax",
      cancel_requested as "cancelRequested", progress, checkpoint, result, error,
      created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"
    from jobs where id = ${id}
  `.execute(db)
  return rows[0]
}

/** A queued job ends here; a running one is told, and ends when its handler has let go. */
export async function cancelJob(db: Db, id: string, now: Date): Promise<JobStatus | undefined> {
  const { rows } = await sql<{ status: JobStatus }>`
    with asked as (
      update jobs set
        cancel_requested = true,
        status = case when status = 'queued' then 'cancelled' else status end,
        finished_at = case when status = 'queued' then ${now}::timestamptz end
      where id = ${id} and status in ('queued', 'running')
      returning status
    )
    select status,
      case when status = 'running' then pg_notify(${HINT_CHANNEL}, ${`cancel:${id}`}) end
    from asked
  `.execute(db)
  return rows[0]?.status
}

/** Deletes in bites, so that no lock is held for long. Answers how many went. */
export async function deleteFinishedJobs(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from jobs where id = any (array(
      select id from jobs where finished_at < ${before}
      order by finished_at limit ${rowsMax} for update skip locked
    ))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
