/** Where the time comes from. The server passes the real one, tests pass one they can turn. */
export interface Clock {
  now(): number
}
