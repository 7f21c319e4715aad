import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { HINT_CHANNEL } from './queue.repo.ts'

/*
 * Leases are counted on the database's clock, which all workers share; run_at and the other times
 * come from the worker's clock, which a test can turn. Every write of a worker names the worker
 * and the attempt: once another worker has the job, the write of the first one finds no row.
 */

export interface TakenJob {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly appId: string | null
  readonly checkpoint: unknown
  readonly attempt: number
  readonly attemptsMax: number
  readonly priority: number
  readonly runAt: Date
}

export interface Lease {
  readonly id: string
  readonly attempt: number
  readonly worker: string
}

export interface TakeOptions {
  readonly worker: string
  readonly kinds: readonly string[]
  readonly attemptsMaxOfKinds: readonly number[]
  readonly limit: number
  readonly leaseMs: number
  readonly now: Date
}

export async function takeJobs(db: Db, options: TakeOptions): Promise<readonly TakenJob[]> {
  const { rows } = await sql<TakenJob>`
    with due as (
      select id from jobs
      where status = 'queued' and run_at <= ${options.now} and kind = any (${options.kinds}::text[])
      order by priority desc, run_at, id
      limit ${options.limit}
      for update skip locked
    )
    update jobs set
      status = 'running',
      attempts = attempts + 1,
      attempts_max = coalesce(jobs.attempts_max, handler.attempts_max),
      leased_by = ${options.worker},
      lease_expires_at = clock_timestamp() + ${options.leaseMs}::float8 * interval '1 millisecond',
      started_at = coalesce(started_at, ${options.now}::timestamptz)
    from due, unnest(${options.kinds}::text[], ${options.attemptsMaxOfKinds}::int[])
      as handler (kind, attempts_max)
    where jobs.id = due.id and handler.kind = jobs.kind
    returning jobs.id, jobs.kind, payload, app_id as "appId", checkpoint, attempts as attempt,
      jobs.attempts_max as "attemptsMax", priority, run_at as "runAt"
  `.execute(db)
  // An update returns its rows in any order.
  return rows.toSorted(
    (a, b) =>
      b.priority - a.priority ||
      a.runAt.getTime() - b.runAt.getTime() ||
      (a.id < b.id ? -1 : Number(a.id > b.id)),
  )
}

/** Answers the leases that still stand; the rows are locked in one order, so no two writers cross. */
export async function renewLeases(
  db: Db,
  worker: string,
  leases: readonly { readonly id: string; readonly attempt: number }[],
  leaseMs: number,
): Promise<readonly { readonly id: string; readonly cancelRequested: boolean }[]> {
  const { rows } = await sql<{ id: string; cancelRequested: boolean }>`
    with mine as (
      select jobs.id
      from unnest(${leases.map((lease) => lease.id)}::text[],
                  ${leases.map((lease) => lease.attempt)}::int[]) as lease (id, attempt)
      join jobs on jobs.id = lease.id and jobs.attempts = lease.attempt
      where status = 'running' and leased_by = ${worker}
      order by jobs.id
      for update of jobs
    )
    update jobs set
      lease_expires_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
    from mine where jobs.id = mine.id
    returning jobs.id, cancel_requested as "cancelRequested"
  `.execute(db)
  return rows
}

/** What becomes of a job when its worker lets go of it. */
export interface Settlement {
  readonly id: string
  readonly attempt: number
  readonly status: 'queued' | 'completed' | 'failed' | 'cancelled'
  readonly resultText?: string
  readonly error?: string
  /** When a queued one runs again. */
  readonly runAt?: Date
  /** True when the attempt does not count, because the worker was stopped. */
  readonly handedBack?: boolean
}

/** Answers the ids that were still ours. */
export async function settleJobs(
  db: Db,
  worker: string,
  settlements: readonly Settlement[],
  now: Date,
): Promise<readonly string[]> {
  const column = <T>(pick: (settlement: Settlement) => T) => settlements.map(pick)
  const { rows } = await sql<{ id: string }>`
    with mine as (
      select jobs.id, cancel_requested, done.*
      from unnest(
        ${column((s) => s.id)}::text[], ${column((s) => s.attempt)}::int[],
        ${column((s) => s.status)}::text[], ${column((s) => s.resultText ?? null)}::jsonb[],
        ${column((s) => s.error ?? null)}::text[], ${column((s) => s.runAt ?? null)}::timestamptz[],
        ${column((s) => (s.handedBack === true ? 1 : 0))}::int[]
      ) as done (job_id, attempt, next, result, error, run_at, refund)
      join jobs on jobs.id = done.job_id and jobs.attempts = done.attempt
      where status = 'running' and leased_by = ${worker}
      order by jobs.id
      for update of jobs
    ), ending as (
      select *, case when next = 'queued' and cancel_requested then 'cancelled' else next end as final
      from mine
    ), settled as (
      update jobs set
        status = final,
        result = ending.result,
        error = ending.error,
        run_at = coalesce(ending.run_at, jobs.run_at),
        attempts = jobs.attempts - refund,
        leased_by = null,
        lease_expires_at = null,
        finished_at = case when final <> 'queued' then ${now}::timestamptz end
      from ending where jobs.id = ending.id
      returning jobs.id, refund
    )
    select id, case when refund = 1 then pg_notify(${HINT_CHANNEL}, '') end from settled
  `.execute(db)
  return rows.map((row) => row.id)
}

export async function writeCheckpoint(db: Db, lease: Lease, text: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update jobs set checkpoint = ${text}::jsonb
    where id = ${lease.id} and attempts = ${lease.attempt} and leased_by = ${lease.worker}
      and status = 'running'
  `.execute(db)
  return numAffectedRows === 1n
}

export async function writeProgress(db: Db, lease: Lease, text: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update jobs set progress = ${text}::jsonb
    where id = ${lease.id} and attempts = ${lease.attempt} and leased_by = ${lease.worker}
      and status = 'running'
  `.execute(db)
  return numAffectedRows === 1n
}

/**
 * Puts back what a vanished worker held: to be taken again, or ended when it was asked to end or
 * has used up its attempts (a job that kills its worker must not kill them all).
 */
export async function reclaimExpired(db: Db, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with expired as (
      select id from jobs
      where status = 'running' and lease_expires_at < clock_timestamp()
      for update skip locked
    ), ending as (
      select jobs.id, case
        when cancel_requested then 'cancelled'
        when attempts >= attempts_max then 'failed'
        else 'queued' end as final
      from jobs join expired using (id)
    )
    update jobs set
      status = final,
      error = case when final = 'cancelled' then error
        else 'The worker stopped answering during attempt ' || attempts || '.' end,
      run_at = ${now},
      leased_by = null,
      lease_expires_at = null,
      finished_at = case when final <> 'queued' then ${now}::timestamptz end
    from ending where jobs.id = ending.id
    returning jobs.id
  `.execute(db)
  return rows.map((row) => row.id)
}
