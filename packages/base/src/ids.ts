/**
 * Every id is `prefix_` + 26 characters of Crockford base 32: 48 bits of time, then 80 random bits.
 * Ids of one kind sort by creation time, and nobody can guess the next one. Two kinds never share
 * a prefix: that is how the wrong id ends up in the right-looking log line.
 */
export const idPrefixes = {
  account: 'acct_',
  app: 'app_',
  audit: 'audit_',
  control: 'ctrl_',
  delivery: 'whd_',
  event: 'evt_',
  finding: 'finding_',
  ipRule: 'iprule_',
  job: 'job_',
  key: 'key_',
  pentestFinding: 'ptfinding_',
  pentestScan: 'ptscan_',
  request: 'req_',
  routeRule: 'rsrule_',
  scan: 'scan_',
  session: 'sess_',
  user: 'user_',
  webhook: 'wh_',
} as const

export type IdKind = keyof typeof idPrefixes

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16
const COUNTER_CHARACTERS = 4
const COUNTER_MAX = 32 ** COUNTER_CHARACTERS

export function createId(kind: IdKind, atMs: number): string {
  return idPrefixes[kind] + encodeTime(atMs) + encodeRandom()
}

/**
 * Makes ids that rise with every call, also within one millisecond and when the clock goes back:
 * after the time stand 4 characters of counter and 12 random ones. For rows that are read in order.
 */
export function createOrderedIds(kind: IdKind): (atMs: number) => string {
  let lastMs = 0
  let time = ''
  let counter = 0
  return (atMs) => {
    if (atMs > lastMs || counter >= COUNTER_MAX) {
      lastMs = Math.max(atMs, counter >= COUNTER_MAX ? lastMs + 1 : lastMs)
      time = idPrefixes[kind] + encodeTime(lastMs)
      counter = 0
    }
    const count = encode(counter++, COUNTER_CHARACTERS)
    return time + count + encodeRandom().slice(COUNTER_CHARACTERS)
  }
}

/** A regular expression source, so that JSON Schema and code check the same shape. */
export function idPattern(kind: IdKind): string {
  return `^${idPrefixes[kind]}[0-7][0-9A-HJKMNP-TV-Z]{25}$`
}

function encodeTime(atMs: number): string {
  return encode(Math.max(0, Math.floor(atMs)), TIME_CHARACTERS)
}

function encode(value: number, characters: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < characters; i++) {
    text = ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

// getRandomValues costs about a microsecond a call, so randomness is drawn in blocks.
const block = new Uint8Array(RANDOM_CHARACTERS * 256)
let used = block.length

function encodeRandom(): string {
  if (used + RANDOM_CHARACTERS > block.length) {
    crypto.getRandomValues(block)
    used = 0
  }
  let text = ''
  for (let i = 0; i < RANDOM_CHARACTERS; i++) text += ALPHABET.charAt((block[used++] ?? 0) & 31)
  return text
}
