/** Runs `work` while no other process holds the lock file. */
export function withLock<Result>(
  path: string,
  work: () => Result | Promise<Result>,
): Promise<Result>
