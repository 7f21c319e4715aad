import type { Clock } from '@merlon/base'

/** A clock that stands still until it is turned. */
export class FakeClock implements Clock {
  #now: number

  constructor(start = Date.now()) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  advance(by: {
    ms?: number
    seconds?: number
    minutes?: number
    hours?: number
    days?: number
  }): void {
    this.#now +=
      (by.ms ?? 0) +
      (by.seconds ?? 0) * 1_000 +
      (by.minutes ?? 0) * 60_000 +
      (by.hours ?? 0) * 3_600_000 +
      (by.days ?? 0) * 86_400_000
  }
}
