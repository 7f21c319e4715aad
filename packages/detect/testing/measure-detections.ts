import type { Severity } from '@merlon/base'
import { detectFingerprintChange, detectTravel } from '../src/index.ts'
import type { FingerprintState, TravelLogin, TravelState } from '../src/index.ts'
import { honestLogins, makePerson, type HonestLogin } from './people.ts'
import { plantTravel } from './planted-travel.ts'
import { seededRandom } from './random.ts'

export interface DetectionFigures {
  readonly data: 'city' | 'country'
  readonly userDays: number
  readonly logins: number
  /** False alarms of impossible travel, all and those of MEDIUM or more, per 1,000 user-days. */
  readonly allPer1000: number
  readonly mediumPer1000: number
  readonly bySeverity: Readonly<Record<Severity, number>>
  readonly newDevicePer1000: number
  readonly planted: number
  readonly found: number
  readonly foundBySeverity: Readonly<Record<Severity, number>>
}

export interface MeasureOptions {
  readonly users: number
  readonly days: number
  readonly seed: number
  readonly data: 'city' | 'country'
}

const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 }
const start = Date.UTC(2026, 0, 5)

/** Replays honest users and, for every second of them, one planted impossible journey at the end. */
export function measureDetections(options: MeasureOptions): DetectionFigures {
  const random = seededRandom(options.seed)
  const bySeverity = { ...none }
  const foundBySeverity = { ...none }
  let logins = 0
  let newDevices = 0
  let planted = 0
  let found = 0
  for (let index = 0; index < options.users; index++) {
    const person = makePerson(random, index)
    const history = honestLogins(random, person, start, options.days)
    let travel: TravelState | undefined
    let prints: FingerprintState | undefined
    for (const login of history) {
      logins += 1
      const result = detectTravel(travel, seenThrough(options.data, login))
      travel = result.state
      if (result.detection !== undefined) bySeverity[result.detection.severity] += 1
      const device = detectFingerprintChange(prints, { ...login, isLogin: true })
      prints = device.state
      if (device.detection !== undefined) newDevices += 1
    }
    const victim = history.findLast((login) => (login.asn ?? 0) >= 65_000)
    if (victim === undefined) continue
    planted += 1
    const plant = plantTravel(random, victim, history, options.data === 'country')
    // The account as it was at that moment, so that nothing later disturbs the truth.
    const before = replay(history.slice(0, history.indexOf(victim) + 1), options.data)
    const { detection } = detectTravel(before, seenThrough(options.data, plant.login))
    if (detection === undefined) continue
    found += 1
    foundBySeverity[detection.severity] += 1
  }
  const userDays = options.users * options.days
  const all = Object.values(bySeverity).reduce((sum, count) => sum + count, 0)
  const medium = bySeverity.CRITICAL + bySeverity.HIGH + bySeverity.MEDIUM
  return {
    data: options.data,
    userDays,
    logins,
    allPer1000: (all / userDays) * 1000,
    mediumPer1000: (medium / userDays) * 1000,
    bySeverity,
    newDevicePer1000: (newDevices / userDays) * 1000,
    planted,
    found,
    foundBySeverity,
  }
}

function replay(
  history: readonly HonestLogin[],
  data: 'city' | 'country',
): TravelState | undefined {
  let state: TravelState | undefined
  for (const login of history) state = detectTravel(state, seenThrough(data, login)).state
  return state
}

/** What remains of a login when only a country database is installed. */
function seenThrough(data: 'city' | 'country', login: HonestLogin): TravelLogin {
  if (data === 'city') return login
  const { at, ip, country, asn, userAgent } = login
  return {
    at,
    ip,
    userAgent,
    ...(country === undefined ? {} : { country }),
    ...(asn === undefined ? {} : { asn }),
  }
}
