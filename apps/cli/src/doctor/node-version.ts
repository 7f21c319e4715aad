import { check, type Check } from './check.ts'

const LOWEST = [20, 19] as const
const DAY_MS = 86_400_000
const WARN_BEFORE_DAYS = 90

/** When the Node.js project stops fixing a line, security holes included. */
const endOfLife: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
}

export function checkNodeVersion(version: string, nowMs: number): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const tell = (status: Check['status'], detail: string) => check('Node.js', status, detail)
  if (major < LOWEST[0] || (major === LOWEST[0] && minor < LOWEST[1])) {
    return tell('fail', `${version} is too old; Merlon needs ${LOWEST.join('.')} or newer.`)
  }
  const end = endOfLife[major]
  if (end === undefined) {
    return major % 2 === 1
      ? tell('warn', `${version} is a short-lived line; use an even one.`)
      : tell('ok', version)
  }
  const leftDays = Math.floor((Date.parse(`${end}T23:59:59Z`) - nowMs) / DAY_MS)
  if (leftDays < 0) return tell('warn', `${version} gets no security fixes since ${end}.`)
  if (leftDays < WARN_BEFORE_DAYS) return tell('warn', `${version} gets no fixes after ${end}.`)
  return tell('ok', `${version}, fixed until ${end}`)
}
