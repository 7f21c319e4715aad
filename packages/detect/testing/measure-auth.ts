import type { AuthAttempt, AuthDetectionType } from '../src/index.ts'
import { AuthReplay } from './auth-replay.ts'
import { seededRandom, type Random } from './random.ts'

export interface AuthFigures {
  readonly userDays: number
  readonly attempts: number
  readonly allPer1000: number
  readonly mediumPer1000: number
  readonly planted: number
  readonly found: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 0, 5)

/** Honest logins with their typing errors, a third of them from offices behind one address each. */
export function measureAuth(options: {
  readonly users: number
  readonly days: number
  readonly seed: number
}): AuthFigures {
  const random = seededRandom(options.seed)
  const honest: AuthAttempt[] = []
  for (let index = 0; index < options.users; index++) {
    const office = index % 3 === 0 ? `90.0.0.${1 + (index % 7)}` : undefined
    const home = `81.${index >> 8}.${index & 255}.7`
    for (let date = 0; date < options.days; date++) {
      const count = random.poisson(1.5)
      for (let login = 0; login < count; login++) {
        const atOffice = office !== undefined && random.chance(0.6)
        const from = atOffice ? random.between(8.5, 9.5) : random.between(6, 23)
        const at = start + date * day + Math.round(from * hour)
        honest.push(...honestLogin(random, `user-${index}`, atOffice ? office : home, at))
      }
    }
  }
  const replay = new AuthReplay().run(honest.toSorted((a, b) => a.at - b.at))
  const userDays = options.users * options.days
  const grave = replay.detections.filter(
    ({ severity }) => severity !== 'LOW' && severity !== 'INFO',
  )
  const all = replay.detections.length
  const plants = plantedAttacks(random, start + options.days * day + 12 * hour)
  const found = plants.filter(({ type, attempts }) => {
    const seen = attempts.flatMap((attempt) => replay.observe(attempt))
    return seen.some((detection) => detection.type === type)
  })
  return {
    userDays,
    attempts: honest.length,
    allPer1000: (all / userDays) * 1000,
    mediumPer1000: (grave.length / userDays) * 1000,
    planted: plants.length,
    found: found.length,
  }
}

/** One login: mostly right at once, sometimes after typing errors, now and then after a reset. */
function honestLogin(random: Random, userId: string, ip: string, at: number): AuthAttempt[] {
  const failures = random.chance(0.004)
    ? 5 + random.below(4)
    : random.chance(0.06)
      ? 1 + random.below(3)
      : 0
  const asn = 65_000
  const failed = Array.from({ length: failures }, (_, index): AuthAttempt => {
    return { at: at + index * 8000, outcome: 'failure', userId, ip, asn }
  })
  return [...failed, { at: at + failures * 8000, outcome: 'success', userId, ip, asn }]
}

interface PlantedAttack {
  readonly type: AuthDetectionType
  readonly attempts: readonly AuthAttempt[]
}

/** Attacks one day after another: brute force and lists, fast and slow, from one or many addresses. */
function plantedAttacks(random: Random, from: number): PlantedAttack[] {
  const attacks: PlantedAttack[] = []
  for (let index = 0; index < 40; index++) {
    const at = from + index * 2 * day
    const net = `45.${index}.${random.below(256)}`
    const size = 15 + random.below(300)
    const ip = (step: number) => `${net}.${1 + (step % 200)}`
    attacks.push(
      attack('auth.brute_force', size, (step) => {
        return { at: at + step * 1000, userId: `user-${index}`, ip: `${net}.1` }
      }),
      attack('auth.brute_force', size, (step) => {
        return { at: at + 6 * hour + step * 1000, userId: `user-${index + 100}`, ip: ip(step) }
      }),
      attack('auth.credential_stuffing', size, (step) => {
        return { at: at + 12 * hour + step * 1000, userId: `stolen-${step}`, ip: `${net}.250` }
      }),
      attack('auth.credential_stuffing', size + 20, (step) => {
        return { at: at + 18 * hour + step * 1000, userId: `stolen-${step}`, ip: ip(step) }
      }),
      attack('auth.credential_stuffing', 40, (step) => {
        return { at: at + 24 * hour + step * 20 * minute, userId: `slow-${step}`, ip: `${net}.251` }
      }),
    )
  }
  return attacks
}

function attack(
  type: AuthDetectionType,
  size: number,
  make: (step: number) => Pick<AuthAttempt, 'at' | 'userId' | 'ip'>,
): PlantedAttack {
  const attempts = Array.from({ length: size }, (_, step): AuthAttempt => {
    return { outcome: 'failure', asn: 64_000 + (step % 50), ...make(step) }
  })
  return { type, attempts }
}
