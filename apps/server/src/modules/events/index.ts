import type { Module } from '../../module.ts'
import { analytics } from './analytics.ts'
import { baseline } from './baseline.ts'
import { createStreamToken } from './create-stream-token.ts'
import { eraseUser } from './erase-user.ts'
import { exportUser } from './export-user.ts'
import { ingestEvents } from './ingest-events.ts'
import { retentionHourly, retentionJob } from './retention.job.ts'
import { searchEvents } from './search-events.ts'
import { streamEvents } from './stream-events.ts'

export const events: Module = {
  name: 'events',
  endpoints: [
    analytics,
    baseline,
    createStreamToken,
    eraseUser,
    exportUser,
    ingestEvents,
    searchEvents,
    streamEvents,
  ],
  jobs: (services) => [retentionJob(services.events.pool)],
  schedules: [retentionHourly],
}

export {
  currentPosition,
  formatPosition,
  parsePosition,
  positionOf,
  readSince,
  type CommitPosition,
  type SequencedRow,
} from './commit-order.repo.ts'
export { startLoop, type Loop } from './loop.ts'
export { startEvents, type EventsRuntime } from './runtime.ts'
export { toSecurityEvent } from './stored-event.ts'
