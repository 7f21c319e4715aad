import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

// 64 MiB and about 100 ms a hash: dear for a thief, bearable for a sign-in.
const COST = { N: 2 ** 16, r: 8, p: 1 } as const
const MEMORY_MAX = 256 * 1024 * 1024
/** More at once would let a flood of sign-ins take the machine's memory and every crypto thread. */
const CONCURRENT_MAX = 2

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join(
    '$',
  )
}

/** An absent hash costs as much as a wrong one, so that the answer's time names no user. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = (stored ?? absent).split('$')
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false
  const cost = { N: Number(n), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost)
  return stored !== null && actual.length === expected.length && timingSafeEqual(actual, expected)
}

const absent = `scrypt$${COST.N}$${COST.r}$${COST.p}$AAAAAAAAAAAAAAAAAAAAAA==$${Buffer.alloc(32).toString('base64')}`

const waiting: (() => void)[] = []
let running = 0

async function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (running >= CONCURRENT_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // Two spellings of one visible password ("é" as one character or two) are the same password.
      scrypt(
        password.normalize('NFKC'),
        salt,
        32,
        { ...cost, maxmem: MEMORY_MAX },
        (error, key) => {
          if (error) reject(error)
          else resolve(key)
        },
      )
    })
  } finally {
    running--
    waiting.shift()?.()
  }
}
