import { haversineKm } from '../src/index.ts'
import { cities } from './cities.ts'
import type { HonestLogin } from './people.ts'
import type { Random } from './random.ts'

export interface PlantedTravel {
  readonly login: HonestLogin
  readonly km: number
  readonly minutes: number
}

/** Networks that an attacker comes from: a home line, a hosting company, a VPN, a phone. */
const attackerNetworks = [65_500, 65_501, 16276, 9009, 21928] as const

/**
 * A second login of the same account, over 2,000 km away and less than an hour later, from a place
 * where the user has never been: whoever comes from the user's own second home, with the user's own
 * browser, is the user as far as addresses can tell.
 */
export function plantTravel(
  random: Random,
  victim: HonestLogin,
  history: readonly HonestLogin[],
  acrossBorders: boolean,
): PlantedTravel {
  const { lat, lon } = victim
  if (lat === undefined || lon === undefined) throw new Error('the victim must stand somewhere')
  const been = new Set(history.map((login) => (acrossBorders ? login.country : login.city)))
  const far = cities
    .filter((city) => haversineKm(city, { lat, lon }) > 2000)
    .filter((city) => !been.has(acrossBorders ? city.country : city.city))
  const goal = far[random.below(far.length)]
  if (goal === undefined) throw new Error('nothing is far away')
  const minutes = random.between(0, 59.9)
  const device = random.chance(0.3) ? victim.userAgent : 'python-requests/2.31.0'
  return {
    km: haversineKm(goal, { lat, lon }),
    minutes,
    login: {
      at: victim.at + Math.round(minutes * 60_000),
      ip: `45.${random.below(256)}.${random.below(256)}.${1 + random.below(250)}`,
      asn: random.pick(attackerNetworks),
      userAgent: device,
      acceptLanguage: 'en-US,en',
      ...goal,
    },
  }
}
