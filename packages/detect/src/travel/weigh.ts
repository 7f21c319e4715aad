import type { Severity } from '@merlon/base'
import { deviceKey } from '../fingerprint/user-agent.ts'
import { placeName } from '../geo/place.ts'
import { atMost, lowerSeverity } from '../severity.ts'
import type { Evidence } from './evidence.ts'
import { isHabitual, pairKey } from './habits.ts'
import type { TravelLogin, TravelOptions, TravelState, TravelStop } from './types.ts'

export interface Weight {
  readonly severity: Severity
  readonly confidence: number
  readonly reasons: readonly string[]
}

/** City databases are often wrong by this much, but hardly ever about the country. */
const databaseErrorKm = 1000
const flaggedMs = 30 * 24 * 3_600_000

/** How serious a too fast journey is, given what is known of the user and the networks. */
export function weighTravel(
  state: TravelState,
  login: TravelLogin,
  from: TravelStop,
  to: TravelStop,
  evidence: Evidence,
  options: TravelOptions,
): Weight {
  const reasons: string[] = [describe(from, to, evidence)]
  const device = deviceKey(login.userAgent)
  const newDevice = device === undefined || !state.devices.includes(device)
  const countries = [from.place.country, to.place.country]
  const newCountry = countries.some((code) => code !== undefined && !state.countries.includes(code))
  if (newCountry) reasons.push('The user was never seen in this country before.')
  if (newDevice && device !== undefined) reasons.push(`The device (${device}) is new to this user.`)
  let severity: Severity =
    newDevice && newCountry ? 'HIGH' : newDevice || newCountry ? 'MEDIUM' : 'LOW'
  let steps = 0
  const lower = (by: number, why: string) => {
    steps += by
    reasons.push(why)
  }

  if (login.at - state.firstSeenAt < options.newUserMs) {
    lower(1, 'Lowered: the user is new, so their habits are not known yet.')
  }
  const network = lowerForNetworks(from, to)
  if (network !== undefined) lower(network.steps, network.why)
  const knowsFrom = isHabitual(state, from.place.key, login.at)
  const knowsTo = isHabitual(state, to.place.key, login.at)
  if (knowsFrom && knowsTo) lower(3, 'Lowered: both places are ones this user often logs in from.')
  else if (knowsTo) lower(1, `Lowered: the user often logs in from ${placeName(to.place)}.`)
  const flagged = state.pairs[pairKey(from, to)]
  if (flagged !== undefined && Math.abs(login.at - flagged.at) < flaggedMs) {
    lower(1, 'Lowered: the same two places were reported for this user within 30 days.')
  }

  severity = lowerSeverity(severity, steps)
  if (evidence.strength === 'possible') {
    severity = 'INFO'
    reasons.push(
      'Lowered: the two countries touch, and only countries are known of these addresses.',
    )
  } else if (evidence.strength === 'likely') {
    severity = atMost(severity, evidence.probability >= 0.95 ? 'MEDIUM' : 'LOW')
    reasons.push('Lowered: only countries are known, and parts of them lie near enough.')
  }
  if (from.place.country === to.place.country && evidence.km < databaseErrorKm) {
    severity = atMost(severity, 'LOW')
    reasons.push('Lowered: within one country, address databases are often wrong by this distance.')
  }
  const sure = evidence.strength === 'certain' ? 0.98 : Math.max(0.1, 0.9 * evidence.probability)
  return { severity, reasons, confidence: Math.round(sure * 0.7 ** steps * 100) / 100 }
}

function lowerForNetworks(
  from: TravelStop,
  to: TravelStop,
): { steps: number; why: string } | undefined {
  const abroad = from.place.country !== to.place.country
  for (const stop of [to, from]) {
    const owner = [stop.asnName, stop.asn === undefined ? undefined : `AS${stop.asn}`]
    const name = owner.filter((part) => part !== undefined).join(' ')
    if (stop.network === 'vpn') {
      return { steps: 2, why: `Lowered: ${stop.ip} belongs to a known VPN or relay (${name}).` }
    }
    if (stop.network === 'mobile' || stop.network === 'satellite') {
      const what = stop.network === 'mobile' ? 'a mobile gateway' : 'a satellite network'
      const why = `Lowered: ${stop.ip} is ${what} (${name}), whose users may be far from it.`
      return { steps: abroad ? 1 : 2, why }
    }
    if (stop.network === 'hosting') {
      return { steps: 1, why: `Lowered: ${stop.ip} is a hosting network (${name}), perhaps a VPN.` }
    }
  }
  return undefined
}

function describe(from: TravelStop, to: TravelStop, evidence: Evidence): string {
  const [first, second] = from.at <= to.at ? [from, to] : [to, from]
  const minutes = Math.round((second.at - first.at) / 60_000)
  const way = `${placeName(first.place)} and ${minutes} min later ${placeName(second.place)}`
  return `Logins from ${way}: about ${evidence.km} km apart, which would take ${evidence.kmh} km/h.`
}
