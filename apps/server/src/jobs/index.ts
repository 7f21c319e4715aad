export {
  defineJob,
  JobAborted,
  PermanentJobError,
  type AbortReason,
  type JobDefinition,
  type JobLog,
  type JobRun,
} from './job.ts'
export { enqueue, requestCancel, type JobRequest } from './queue.ts'
export { findJob, type Job, type JobStatus } from './queue.repo.ts'
export { defineSchedule, type Schedule, type ScheduleDefinition } from './schedule.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker.ts'
