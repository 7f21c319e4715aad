import { expect, test } from 'vitest'
import { detectTravel } from './detect-travel.ts'
import { confirmPlace } from './habits.ts'
import type { TravelDetection, TravelLogin, TravelState } from './types.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 2, 2, 9)
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36'

const berlin = { country: 'DE', city: 'Berlin', lat: 52.5, lon: 13.4, ip: '81.2.69.1', asn: 3320 }
const sydney = { country: 'AU', city: 'Sydney', lat: -33.9, lon: 151.2, ip: '45.1.1.1', asn: 1221 }

function replay(logins: readonly TravelLogin[], from?: TravelState) {
  let state = from
  const detections: TravelDetection[] = []
  for (const login of logins) {
    const result = detectTravel(state, login)
    state = result.state
    if (result.detection !== undefined) detections.push(result.detection)
  }
  if (state === undefined) throw new Error('no logins')
  return { state, detections }
}

/** A month of logins from Berlin, so that the user is known there. */
const settled = replay(
  Array.from({ length: 30 }, (_, index) => ({
    ...berlin,
    at: start - (30 - index) * day,
    userAgent: chrome,
  })),
).state

test('Berlin and Sydney within half an hour are reported as high', () => {
  const { detections } = replay(
    [
      { ...berlin, at: start },
      { ...sydney, at: start + 30 * minute },
    ],
    settled,
  )
  expect(detections).toMatchObject([
    { type: 'auth.impossible_travel', severity: 'HIGH', minutes: 30 },
  ])
})

test('the report says how far, how fast and why', () => {
  const { detections } = replay([{ ...sydney, at: start }], settled)
  const [detection] = replay([{ ...sydney, at: start - day + 30 * minute }], settled).detections
  expect(detections).toEqual([])
  expect(detection?.km).toBeGreaterThan(16_000)
  expect(detection?.kmh).toBeGreaterThan(30_000)
  expect(detection?.reasons[0]).toMatch(/^Logins from Berlin, DE and 30 min later Sydney, AU/)
})

test('a flight of real length is no detection', () => {
  const { detections } = replay([{ ...sydney, at: start - day + 22 * hour }], settled)
  expect(detections).toEqual([])
})

test('country data alone is enough', () => {
  const { detections } = replay([
    { at: start, ip: '8.8.8.8', country: 'US' },
    { at: start + 10 * minute, ip: '1.1.1.1', country: 'AU' },
  ])
  expect(detections).toHaveLength(1)
})

test('a new user is named as the reason and lowers the severity', () => {
  const [detection] = replay([
    { at: start, ip: '8.8.8.8', country: 'US' },
    { at: start + 10 * minute, ip: '1.1.1.1', country: 'AU' },
  ]).detections
  expect(detection?.severity).toBe('MEDIUM')
  expect(detection?.reasons.join(' ')).toMatch(/user is new/)
})

test('a known VPN lowers the severity, is named, and does not silence', () => {
  const vpn = { ...sydney, asn: 9009, asnName: 'M247', at: start - day + hour }
  const [detection] = replay([vpn], settled).detections
  expect(detection?.severity).toBe('LOW')
  expect(detection?.reasons.join(' ')).toMatch(/VPN or relay \(M247 AS9009\)/)
})

test('a mobile gateway lowers the severity, is named, and does not silence', () => {
  const [detection] = replay(
    [{ ...sydney, asn: 21928, at: start - day + hour }],
    settled,
  ).detections
  expect(detection?.severity).toBe('MEDIUM')
  expect(detection?.reasons.join(' ')).toMatch(/mobile gateway/)
})

test('a VPN login in between does not hide the journey of the real ones', () => {
  const seoul = { country: 'KR', lat: 37.6, lon: 127, ip: '45.2.2.2', asn: 9009 }
  const tokyo = { country: 'JP', lat: 35.7, lon: 139.7, ip: '45.3.3.3' }
  // Tokyo is two hours from Seoul but not from Berlin.
  const { detections } = replay(
    [
      { ...berlin, at: start },
      { ...seoul, at: start + minute },
      { ...tokyo, at: start + 2 * hour },
    ],
    settled,
  )
  expect(detections.map(({ to }) => to.place.country)).toEqual(['KR', 'JP'])
  expect(detections.map(({ from }) => from.place.city)).toEqual(['Berlin', 'Berlin'])
})

test('the same journey is reported once within a day', () => {
  const flips = [0, 1, 2, 3].flatMap((index) => [
    { ...berlin, at: start + index * hour },
    { ...sydney, at: start + index * hour + 10 * minute },
  ])
  expect(replay(flips, settled).detections).toHaveLength(1)
})

test('the same journey is reported again after a day', () => {
  const flips = [0, 25].flatMap((hours) => [
    { ...berlin, at: start + hours * hour },
    { ...sydney, at: start + hours * hour + 10 * minute },
  ])
  expect(replay(flips, settled).detections).toHaveLength(2)
})

test('places that the user often logs in from make it an INFO', () => {
  const visits = [20, 15, 10].map((days) => ({ ...sydney, at: start - days * day - 12 * hour }))
  const { state } = replay(visits, settled)
  const [detection] = replay([{ ...sydney, at: start - day + hour }], state).detections
  expect(detection?.severity).toBe('INFO')
})

test('a place confirmed by the user counts as theirs', () => {
  const [first] = replay([{ ...sydney, at: start - day + hour }], settled).detections
  const state = confirmPlace(settled, first?.to.place.key ?? '', start)
  const [second] = replay([{ ...sydney, at: start - day + hour }], state).detections
  expect(second?.severity).toBe('INFO')
})

test('private addresses have no place and are ignored', () => {
  const { detections, state } = replay([{ ...sydney, ip: '10.0.0.1', at: start }], settled)
  expect(detections).toEqual([])
  expect(state.stops).toEqual(settled.stops)
})

test('an unknown country is ignored', () => {
  const login = { at: start - day + minute, ip: '45.1.1.1', country: 'XX' }
  expect(replay([login], settled).detections).toEqual([])
})

test('two logins at the very same time give finite figures', () => {
  const [detection] = replay([{ ...sydney, at: start - day }], settled).detections
  expect(Number.isFinite(detection?.kmh)).toBe(true)
})

test('a login that arrives late is compared with its neighbours in time', () => {
  const { detections } = replay(
    [
      { ...berlin, at: start + 5 * hour },
      { ...sydney, at: start + 4.5 * hour },
    ],
    settled,
  )
  expect(detections).toMatchObject([{ from: { place: { city: 'Sydney' } }, minutes: 30 }])
})

test('one country crossed by a border commuter every day stays quiet once both sides are known', () => {
  const days = Array.from({ length: 20 }, (_, index) => start + index * day)
  const logins = days.flatMap((at) => [
    { at, ip: '81.1.1.1', country: 'FR' },
    { at: at + 20 * minute, ip: '82.1.1.1', country: 'CH' },
  ])
  const { detections } = replay(logins)
  expect(detections.length).toBeLessThanOrEqual(3)
  expect(detections.filter(({ severity }) => !['LOW', 'INFO'].includes(severity))).toEqual([])
})

test('a distance as databases err within one country is at most LOW', () => {
  const munich = { country: 'DE', lat: 48.1, lon: 11.6, ip: '81.9.9.9', at: start - day + minute }
  expect(replay([munich], settled).detections).toMatchObject([{ severity: 'LOW' }])
})

test('the state survives JSON and stays small after a year of travelling', () => {
  const logins = Array.from({ length: 1500 }, (_, index) => ({
    at: start + index * 6 * hour,
    ip: '81.2.3.4',
    lat: ((index * 37) % 120) - 60,
    lon: ((index * 91) % 360) - 180,
    userAgent: `Agent${index % 50}/1.0`,
  }))
  const { state } = replay(logins)
  const text = JSON.stringify(state)
  expect(JSON.parse(text)).toEqual(state)
  expect(text.length).toBeLessThan(40_000)
})

test('the given state is not changed', () => {
  const before = JSON.stringify(settled)
  replay([{ ...sydney, at: start }], settled)
  expect(JSON.stringify(settled)).toBe(before)
})
