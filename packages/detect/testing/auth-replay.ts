import { authSubjects, observeAuth } from '../src/index.ts'
import type { AuthAttempt, AuthCounter, AuthDetection } from '../src/index.ts'

/** Keeps the counters as a server keeps its rows: loads those of an attempt, stores what comes back. */
export class AuthReplay {
  readonly counters = new Map<string, AuthCounter>()
  readonly detections: AuthDetection[] = []

  run(attempts: Iterable<AuthAttempt>): this {
    for (const attempt of attempts) this.observe(attempt)
    return this
  }

  observe(attempt: AuthAttempt): readonly AuthDetection[] {
    const known: Record<string, AuthCounter | undefined> = {}
    for (const { key } of authSubjects(attempt)) known[key] = this.counters.get(key)
    const { counters, detections } = observeAuth(known, attempt)
    for (const [key, counter] of Object.entries(counters)) this.counters.set(key, counter)
    this.detections.push(...detections)
    return detections
  }
}
