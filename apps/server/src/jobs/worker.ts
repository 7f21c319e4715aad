import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Clock } from '@merlon/base'
import type pg from 'pg'
import type { Db } from '../db/database.ts'
import { createBell } from './bell.ts'
import { listenForHints } from './hints.repo.ts'
import { ATTEMPTS_MAX_DEFAULT, type JobDefinition, type JobLog } from './job.ts'
import { reclaimExpired, renewLeases, takeJobs, type TakenJob } from './lease.repo.ts'
import { surviveLostConnections } from './lost-connections.ts'
import { outagePauseMs, withDeadline } from './outage.ts'
import { settlementOf } from './outcome.ts'
import { pruneJobs, pruneSchedule } from './prune.job.ts'
import { startRun, type Run } from './run.ts'
import { createScheduler, type Schedule } from './schedule.ts'
import { createSettler } from './settler.ts'

export interface WorkerOptions {
  readonly db: Db
  /** The pool behind `db`. The connection for hints takes its address from it. */
  readonly pool: pg.Pool
  readonly handlers: readonly JobDefinition[]
  readonly schedules?: readonly Schedule[]
  readonly clock: Clock
  readonly log: JobLog
  readonly concurrency: number
  readonly leaseMs?: number
  readonly heartbeatMs?: number
  readonly pollMs?: number
  /** From 0 to 1, for the spread of retries. */
  readonly random?: () => number
}

export interface Worker {
  /**
   * Tells handlers to stop, waits for them, and hands back what is unfinished, so that another
   * worker goes on at once. A second call waits for the first.
   */
  stop(options: { readonly timeoutMs: number }): Promise<void>
  /** Until nothing runs here and nothing is due. */
  idle(): Promise<void>
}

/** For the last writes of a stopping worker. A lease that cannot be handed back runs out. */
const HAND_BACK_MS = 2_000

export function startWorker(options: WorkerOptions): Worker {
  const { db, clock, log, concurrency } = options
  const { leaseMs = 30_000, heartbeatMs = 10_000, pollMs = 1_000, random = Math.random } = options
  const definitions = definitionsByKind([pruneJobs, ...options.handlers])
  const kinds = [...definitions.keys()]
  const attemptsMaxOfKinds = [...definitions.values()].map(
    (definition) => definition.attemptsMax ?? ATTEMPTS_MAX_DEFAULT,
  )
  const worker = randomBytes(12).toString('hex')
  const runs = new Map<string, { readonly run: Run; readonly ended: Promise<void> }>()
  const pollBell = createBell()
  const beatBell = createBell()
  const settler = createSettler({ db, worker, clock, deadlineMs: leaseMs })
  const schedules = [pruneSchedule, ...(options.schedules ?? [])]
  const scheduler = createScheduler({ db, schedules, clock })
  const sweepMs = Math.max(pollMs, leaseMs / 10)
  let stopped: Promise<void> | undefined
  let isStopping = false
  let hasEnded = false
  let moreIsLikely = false
  let sweptAtMs = -Infinity
  let idleWaiters: (() => void)[] = []

  function begin(job: TakenJob, takenAtMs: number): void {
    const definition = definitions.get(job.kind)
    if (definition === undefined) return
    const run = startRun(
      { job, definition, worker, db, clock, log, leaseMs, graceMs: heartbeatMs },
      takenAtMs,
    )
    runs.set(job.id, { run, ended: finish(run) })
  }

  async function finish(run: Run): Promise<void> {
    const { job } = run
    const about = { jobId: job.id, jobKind: job.kind, attempt: job.attempt }
    try {
      const outcome = await run.outcome
      if ('threw' in outcome && run.aborted() === undefined) {
        log.warn({ ...about, err: outcome.threw }, 'a job failed')
      }
      const at = { nowMs: clock.now(), random }
      const settlement = settlementOf(job, outcome, run.aborted(), at)
      const accepted =
        settlement !== undefined && (await settler.settle(settlement, () => run.holdsLease()))
      if (!accepted) log.warn(about, 'the lease of a job was lost; its end was not written')
    } catch (error) {
      log.error({ ...about, err: error }, 'the end of a job could not be written')
    } finally {
      runs.delete(job.id)
      if (moreIsLikely || idleWaiters.length > 0) pollBell.ring()
    }
  }

  async function poll(): Promise<void> {
    if (performance.now() - sweptAtMs >= sweepMs) {
      await withDeadline(scheduler.tick(), leaseMs)
      await withDeadline(reclaimExpired(db, new Date(clock.now())), leaseMs)
      sweptAtMs = performance.now()
    }
    const limit = concurrency - runs.size
    if (limit <= 0) return
    const asking = idleWaiters
    const takenAtMs = performance.now()
    const now = new Date(clock.now())
    const take = takeJobs(db, { worker, kinds, attemptsMaxOfKinds, limit, leaseMs, now })
    const jobs = await withDeadline(take, leaseMs)
    moreIsLikely = jobs.length === limit
    for (const job of jobs) begin(job, takenAtMs)
    if (jobs.length === 0 && runs.size === 0) {
      idleWaiters = idleWaiters.filter((waiter) => !asking.includes(waiter))
      for (const answer of asking) answer()
    }
  }

  async function pollUntilStopped(): Promise<void> {
    for (let failures = 0; !isStopping;) {
      try {
        await poll()
        failures = 0
      } catch (error) {
        failures++
        log.warn({ err: error, failures }, 'jobs cannot be taken from the database')
      }
      if (!isStopping) await pollBell.wait(failures === 0 ? pollMs : outagePauseMs(failures))
    }
  }

  async function beat(): Promise<void> {
    const held = [...runs.values()].map(({ run }) => run)
    if (held.length === 0) return
    const sinceMs = performance.now()
    const leases = held.map(({ job }) => ({ id: job.id, attempt: job.attempt }))
    const renewed = await withDeadline(renewLeases(db, worker, leases, leaseMs), leaseMs)
    const standing = new Map(renewed.map((lease) => [lease.id, lease]))
    for (const run of held) {
      const lease = standing.get(run.job.id)
      if (lease === undefined) run.abort('lease-lost')
      else run.renewed(sinceMs)
      if (lease?.cancelRequested === true) run.abort('cancelled')
    }
  }

  async function beatUntilEnded(): Promise<void> {
    for (let failures = 0; !hasEnded;) {
      await beatBell.wait(failures === 0 ? heartbeatMs : outagePauseMs(failures))
      try {
        if (!hasEnded) await beat()
        failures = 0
      } catch (error) {
        failures++
        log.warn({ err: error, failures }, 'the leases of running jobs could not be renewed')
      }
    }
  }

  surviveLostConnections(options.pool, log)
  const hints = listenForHints(
    options.pool,
    {
      onHint(hint) {
        if (!hint.startsWith('cancel:')) pollBell.ring()
        else if (runs.has(hint.slice('cancel:'.length))) beatBell.ring()
      },
      onConnected() {
        pollBell.ring()
        beatBell.ring()
      },
    },
    log,
  )
  const polling = pollUntilStopped()
  const beating = beatUntilEnded()

  async function stop(timeoutMs: number): Promise<void> {
    isStopping = true
    pollBell.ring()
    const handBack = async () => {
      for (const { run } of runs.values()) run.abort('shutdown', timeoutMs)
      // A poll that was under way may still bring jobs; they go back at once.
      await polling
      for (const { run } of runs.values()) run.abort('shutdown', timeoutMs)
      await Promise.all([...runs.values()].map(({ ended }) => ended))
    }
    await withDeadline(handBack(), timeoutMs + HAND_BACK_MS).catch((error: unknown) => {
      log.warn({ err: error }, 'not every job could be handed back')
    })
    hasEnded = true
    beatBell.ring()
    await Promise.all([hints.close(), withDeadline(beating, HAND_BACK_MS).catch(() => undefined)])
    for (const answer of idleWaiters) answer()
  }

  return {
    stop: ({ timeoutMs }) => (stopped ??= stop(timeoutMs)),
    idle: () =>
      new Promise((resolve) => {
        if (isStopping) resolve()
        idleWaiters = [...idleWaiters, resolve]
        pollBell.ring()
      }),
  }
}

function definitionsByKind(
  definitions: readonly JobDefinition[],
): ReadonlyMap<string, JobDefinition> {
  const byKind = new Map<string, JobDefinition>()
  for (const definition of definitions) {
    if (byKind.has(definition.kind)) {
      throw new Error(`Two handlers are defined for jobs of the kind ${definition.kind}.`)
    }
    byKind.set(definition.kind, definition)
  }
  return byKind
}
