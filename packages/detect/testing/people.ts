import { haversineKm, type TravelLogin } from '../src/index.ts'
import { borderPairs, cities, cityNamed, type City } from './cities.ts'
import type { Random } from './random.ts'

/** What an honest user's life looks like to an address database. */
export interface Person {
  readonly id: string
  readonly home: City
  readonly work: City
  readonly devices: readonly [string, ...string[]]
  readonly vpn: 'none' | 'listed' | 'hosting' | 'unlisted' | 'company'
  readonly vpnExits: readonly [City, ...City[]]
  readonly usesMobile: boolean
  readonly mobileAsn: number
  /** Where the carrier lets part of this person's traffic out: often another city of the country. */
  readonly gateway: City
  /** The provider's addresses that the database puts into another city of the country. */
  readonly misplaced: City | undefined
  readonly daysBetweenTrips: number
}

export interface HonestLogin extends TravelLogin {
  readonly userAgent: string
  readonly acceptLanguage: string
}

const hour = 3_600_000
const day = 24 * hour

const agents = [
  (v: number) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Safari/537.36`,
  (v: number) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v - 100}.5 Mobile/15E148 Safari/604.1`,
  (v: number) =>
    `Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Mobile Safari/537.36`,
  (v: number) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:${v}.0) Gecko/20100101 Firefox/${v}.0`,
  (v: number) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${v}.0.0.0 Safari/537.36 Edg/${v}.0.0.0`,
] as const

const listedVpns = [9009, 212238, 136787, 39351, 209103, 13335] as const
const hostings = [16509, 14061, 24940, 16276, 20473] as const
const listedMobiles = [21928, 6167, 20057, 12576, 51207, 55836, 9605] as const

/** The mixture of the simulated users; the shares are generous with the kinds that make trouble. */
export const shares = {
  vpn: 0.08,
  companyVpn: 0.02,
  mobile: 0.6,
  misplaced: 0.03,
  borderCommuter: 0.02,
}

export function makePerson(random: Random, index: number): Person {
  const [first, ...rest] = cities
  if (first === undefined) throw new Error('no cities')
  const anyCity = () => random.pick([first, ...rest])
  const border = random.chance(shares.borderCommuter) ? random.pick(asList(borderPairs)) : undefined
  const home = border === undefined ? anyCity() : cityNamed(border[0])
  const elsewhere = cities.filter((city) => city.country === home.country && city !== home)
  const [nearby] = elsewhere.filter((city) => haversineKm(city, home) < 1000)
  const kinds = ['listed', 'listed', 'listed', 'hosting', 'hosting', 'unlisted'] as const
  const vpn = random.chance(shares.vpn)
    ? random.pick(kinds)
    : random.chance(shares.companyVpn)
      ? 'company'
      : 'none'
  const makeDevice = () => agents[random.below(agents.length)]?.(120) ?? agents[0](120)
  return {
    id: `user-${index}`,
    home,
    work: border === undefined ? home : cityNamed(border[1]),
    devices: [makeDevice(), ...(random.chance(0.5) ? [makeDevice()] : [])],
    vpn,
    vpnExits: vpn === 'company' ? [anyCity()] : [anyCity(), anyCity(), anyCity()],
    usesMobile: random.chance(shares.mobile),
    // Three in ten carriers are not in any list.
    mobileAsn: random.chance(0.7) ? random.pick(listedMobiles) : 64_600 + random.below(100),
    gateway: random.chance(0.5) ? home : random.pick(asList([home, ...elsewhere])),
    misplaced: random.chance(shares.misplaced) ? nearby : undefined,
    daysBetweenTrips: random.between(30, 180),
  }
}

interface Stay {
  readonly city: City
  readonly from: number
  readonly to: number
}

/** Where the person is over the days, with flights as fast as real ones. */
function journeys(random: Random, person: Person, start: number, end: number): Stay[] {
  const stays: Stay[] = []
  let at = start
  while (at < end) {
    const leave = at + random.between(0.5, 1.5) * person.daysBetweenTrips * day
    stays.push({ city: person.home, from: at, to: leave })
    const goal = random.pick(asList(cities))
    const flight = flightMs(person.home, goal)
    const back = leave + flight + random.between(2, 14) * day
    stays.push({ city: goal, from: leave + flight, to: back })
    at = back + flight
  }
  return stays
}

/** From the last login at one gate to the first after landing. */
function flightMs(from: City, to: City): number {
  return (haversineKm(from, to) / 850 + 0.8) * hour
}

export function honestLogins(
  random: Random,
  person: Person,
  start: number,
  days: number,
): HonestLogin[] {
  const stays = journeys(random, person, start, start + days * day)
  const logins: HonestLogin[] = []
  const add = (at: number) => {
    const stay = stays.find((entry) => entry.from <= at && at <= entry.to)
    // In the air nobody logs in.
    if (stay !== undefined && at < start + days * day)
      logins.push(loginAt(random, person, stay.city, at))
  }
  for (let index = 0; index < days; index++) {
    const count = random.poisson(3)
    for (let login = 0; login < count; login++) {
      add(start + index * day + random.between(6, 23) * hour)
    }
  }
  // The hardest case for a speed: the last minute before a flight and the first one after it.
  for (const stay of stays) {
    if (random.chance(0.5)) add(stay.from)
    if (random.chance(0.5)) add(stay.to)
  }
  return logins.toSorted((a, b) => a.at - b.at)
}

function loginAt(random: Random, person: Person, city: City, at: number): HonestLogin {
  const hourOfDay = Math.floor(at / hour) % 24
  const isHome = city === person.home
  const isWorkTime = isHome && hourOfDay >= 9 && hourOfDay < 17
  const base = {
    at,
    userAgent: updated(random.pick(person.devices), at),
    acceptLanguage: 'en-US,en',
  }
  const ip = () => `81.${random.below(256)}.${random.below(256)}.${1 + random.below(250)}`
  if (person.vpn !== 'none' && random.chance(0.3)) {
    const asn =
      person.vpn === 'listed'
        ? random.pick(listedVpns)
        : person.vpn === 'hosting'
          ? random.pick(hostings)
          : 64_900
    return { ...base, ip: ip(), asn, ...random.pick(person.vpnExits) }
  }
  if (person.usesMobile && random.chance(0.4)) {
    // Abroad, half of the phones come out at home: carriers route roaming traffic back.
    const isRouted = isHome || random.chance(0.5)
    const place = isRouted ? (random.chance(0.3) ? person.gateway : person.home) : city
    return { ...base, ip: ip(), asn: person.mobileAsn, ...place }
  }
  const place = isWorkTime ? person.work : city
  const seen = isHome && person.misplaced && random.chance(0.3) ? person.misplaced : place
  return { ...base, ip: ip(), asn: 65_000 + (isWorkTime ? 1 : 2), ...seen }
}

/** Browsers bring out a version every four weeks. */
function updated(agent: string, at: number): string {
  const releases = Math.floor(at / (28 * day)) % 40
  return agent.replaceAll(
    /(Chrome|Edg|Firefox|rv:)(\/?)(\d+)/g,
    (_, name: string, slash: string) => {
      return `${name}${slash}${120 + releases}`
    },
  )
}

function asList<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list
  if (first === undefined) throw new Error('an empty list')
  return [first, ...rest]
}
