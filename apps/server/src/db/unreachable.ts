/** Classes of SQLSTATE in which the database says that it cannot work now: connection, resources, shutdown. */
const NOT_NOW = /^(08|53|57P)/
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])
/** The driver's own words carry no code. */
const DRIVER = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/

/** Whether the database could not be asked, as opposed to having answered with an error. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NOT_NOW.test(code) || DRIVER.test(error.message)) return true
  return SOCKET.has(code) && 'syscall' in error
}
