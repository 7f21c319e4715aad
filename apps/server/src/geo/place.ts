/** What is known about where an address is and whose it is. Every field may be missing. */
export interface Place {
  /** Two capital letters of ISO 3166-1. */
  readonly country?: string
  readonly city?: string
  readonly lat?: number
  readonly lon?: number
  readonly accuracyKm?: number
  readonly asn?: number
  readonly asnName?: string
}

/** A place that is being put together. Spreading objects into each other costs ten times as much. */
export type Draft = { -readonly [Name in keyof Place]: Place[Name] }

/** Private, reserved and unknown addresses, and texts that are no address, all share this one. */
export const nowhere: Place = Object.freeze({})

/** What is used of a log; the server's own fits. */
export interface GeoLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
