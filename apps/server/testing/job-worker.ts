import type { Clock } from '@merlon/base'
import { startWorker, type JobLog, type Worker, type WorkerOptions } from '../src/jobs/index.ts'
import type { TestDatabase } from './test-database.ts'

export const silentLog: JobLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

export interface TestWorkers {
  start(options: Pick<WorkerOptions, 'handlers'> & Partial<Omit<WorkerOptions, 'handlers'>>): Worker
  stopAll(): Promise<void>
}

/** Workers with short waits, all stopped at the end of a test. */
export function testWorkers(database: () => TestDatabase, clock: Clock): TestWorkers {
  let started: Worker[] = []
  return {
    start(options) {
      const { db, pool } = database()
      const waits = { heartbeatMs: 200, leaseMs: 5_000, pollMs: 20, concurrency: 4 }
      const worker = startWorker({ db, pool, clock, log: silentLog, ...waits, ...options })
      started.push(worker)
      return worker
    },
    async stopAll() {
      await Promise.all(started.map((worker) => worker.stop({ timeoutMs: 0 })))
      started = []
    },
  }
}

export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** A point that one side waits at and the other side opens. */
export function createGate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** A handler that ends only by its signal. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
}
