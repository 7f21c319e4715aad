import pg from 'pg'

/**
 * SQLSTATE classes that pass by themselves: connection trouble, a server that starts or stops or
 * is full, a standby that took over, and transactions that met each other.
 */
const PASSING = /^(08|40|53|57P|25006)/

/** True when the same statement may well work in a moment. What the driver itself throws is a lost connection. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return PASSING.test(error.code ?? '')
  return error instanceof Error
}

/** A connection whose other end vanished answers nothing at all, not even an error. */
export async function withDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The database did not answer within ${Math.round(deadlineMs)} ms.`))
    }, deadlineMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const PAUSE_FIRST_MS = 50
const PAUSE_LONGEST_MS = 5_000

export function outagePauseMs(failures: number): number {
  return Math.min(PAUSE_LONGEST_MS, PAUSE_FIRST_MS * 2 ** Math.min(failures, 20))
}

/** Repeats a write through an outage for as long as it is worth anything. */
export async function persist<T>(write: () => Promise<T>, isWorthIt: () => boolean): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await write()
    } catch (error) {
      if (!isOutage(error) || !isWorthIt()) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, outagePauseMs(failures)))
  }
}
