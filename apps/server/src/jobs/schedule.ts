import type { Clock } from '@merlon/base'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/tx.ts'
import { parseCron, previousTick } from './cron.ts'
import { enqueue } from './queue.ts'
import { claimTick, insertSchedule } from './schedule.repo.ts'

export interface Schedule {
  readonly name: string
  readonly kind: string
  readonly payload: unknown
  /** The latest tick at or before a time, in UTC. */
  lastTickMs(atMs: number): number | undefined
}

export type ScheduleTimes =
  | { readonly every: { readonly minutes: number }; readonly cron?: never }
  | { readonly cron: string; readonly every?: never }

export type ScheduleDefinition = ScheduleTimes & {
  readonly name: string
  readonly kind: string
  readonly payload?: unknown
}

/** Throws where the times make no sense, so a wrong schedule is found at the start. */
export function defineSchedule(definition: ScheduleDefinition): Schedule {
  const { name, kind, payload = {} } = definition
  return { name, kind, payload, lastTickMs: ticksOf(definition) }
}

function ticksOf(times: ScheduleDefinition): (atMs: number) => number | undefined {
  if (times.cron !== undefined) {
    const cron = parseCron(times.cron)
    return (atMs) => previousTick(cron, atMs)
  }
  const { minutes } = times.every
  if (!Number.isInteger(minutes) || minutes < 1) {
    throw new Error(`The schedule ${times.name} must run every whole number of minutes.`)
  }
  const everyMs = minutes * 60_000
  return (atMs) => Math.floor(atMs / everyMs) * everyMs
}

export interface Scheduler {
  /** Enqueues what is due. Several missed ticks become one job: the newest. */
  tick(): Promise<void>
}

export function createScheduler(options: {
  readonly db: Db
  readonly schedules: readonly Schedule[]
  readonly clock: Clock
}): Scheduler {
  const { db, schedules, clock } = options
  // Only a tick that this node has not seen yet is worth a question to the database.
  const seen = new Map<string, number>()

  async function enqueueTick(schedule: Schedule, tickMs: number): Promise<void> {
    const tick = new Date(tickMs)
    // A schedule nobody has seen before begins with its next tick.
    if (!seen.has(schedule.name) && (await insertSchedule(db, schedule.name, tick))) return
    await inTransaction(db, async (tx) => {
      if (!(await claimTick(tx, schedule.name, tick))) return
      const { name, kind, payload } = schedule
      await enqueue(tx, { kind, payload, uniqueKey: `${name}@${tick.toISOString()}` }, clock)
    })
  }

  return {
    async tick() {
      for (const schedule of schedules) {
        const tickMs = schedule.lastTickMs(clock.now())
        if (tickMs === undefined || tickMs <= (seen.get(schedule.name) ?? -Infinity)) continue
        await enqueueTick(schedule, tickMs)
        seen.set(schedule.name, tickMs)
      }
    },
  }
}
