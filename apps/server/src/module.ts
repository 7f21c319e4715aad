import type { Implementation, Services } from './http/implement.ts'
import type { JobDefinition, Schedule } from './jobs/index.ts'

/** A room of the house: a list of endpoints and of background jobs, nothing else. */
export interface Module {
  readonly name: string
  readonly endpoints: readonly Implementation[]
  readonly jobs?: (services: Services) => readonly JobDefinition[]
  readonly schedules?: readonly Schedule[]
}
