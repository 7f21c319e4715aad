/** 0: done. 1: it failed, or the answer is no. 2: the command line itself is wrong. */
export const exitCode = { ok: 0, failed: 1, usage: 2 } as const

/** The command line cannot be understood, or says too little. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was asked for could not be done, for a reason a person can read. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
