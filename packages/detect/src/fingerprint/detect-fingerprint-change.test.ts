import { expect, test } from 'vitest'
import { detectFingerprintChange } from './detect-fingerprint-change.ts'
import type { FingerprintDetection, FingerprintSighting, FingerprintState } from './types.ts'

const day = 86_400_000
const start = Date.UTC(2026, 2, 2)
const chrome = (major: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/${major}.0.0.0 Safari/537.36`
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'

function replay(sightings: readonly FingerprintSighting[], from?: FingerprintState) {
  let state = from
  const detections: FingerprintDetection[] = []
  for (const sighting of sightings) {
    const result = detectFingerprintChange(state, sighting)
    state = result.state
    if (result.detection !== undefined) detections.push(result.detection)
  }
  if (state === undefined) throw new Error('no sightings')
  return { state, detections }
}

const login = (at: number, more: Partial<FingerprintSighting> = {}): FingerprintSighting => ({
  at,
  isLogin: true,
  userAgent: chrome(126),
  acceptLanguage: 'de-DE,de;q=0.9',
  asn: 3320,
  country: 'DE',
  ...more,
})
const inSession = (at: number, more: Partial<FingerprintSighting> = {}) =>
  login(at, { isLogin: false, sessionId: 's-1', ...more })

test('the first login of a user is no change', () => {
  expect(replay([login(start)]).detections).toEqual([])
})

test('one session in two browsers is high', () => {
  const { detections } = replay([inSession(start), inSession(start + 1000, { userAgent: firefox })])
  expect(detections).toMatchObject([{ kind: 'session', severity: 'HIGH' }])
})

test('the report names both clients', () => {
  const { detections } = replay([inSession(start), inSession(start + 1000, { userAgent: firefox })])
  expect(detections[0]?.reasons[0]).toContain('Chrome 126 on Windows and now Firefox 127 on Linux')
})

test('a session with another client is reported once, not with every request', () => {
  const flips = [0, 1, 2, 3].flatMap((index) => [
    inSession(start + index * 2000),
    inSession(start + index * 2000 + 1000, { userAgent: firefox }),
  ])
  expect(replay(flips).detections).toHaveLength(1)
})

test('a browser that updated itself is no change', () => {
  const { detections } = replay([
    inSession(start),
    inSession(start + day, { userAgent: chrome(127) }),
  ])
  expect(detections).toEqual([])
})

test('a browser that went back to an older version is a change', () => {
  const { detections } = replay([
    inSession(start),
    inSession(start + day, { userAgent: chrome(90) }),
  ])
  expect(detections).toMatchObject([{ severity: 'HIGH' }])
})

test('another network in the same country is no change', () => {
  expect(replay([inSession(start), inSession(start + 1000, { asn: 3209 })]).detections).toEqual([])
})

test('a session that moves to another country and network is medium', () => {
  const moved = inSession(start + 1000, { asn: 16276, country: 'FR' })
  expect(replay([inSession(start), moved]).detections).toMatchObject([{ severity: 'MEDIUM' }])
})

test('requesting the desktop site on a phone is low', () => {
  const ios =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/1 Safari/604'
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/604'
  const { detections } = replay([
    inSession(start, { userAgent: ios }),
    inSession(start + 1000, { userAgent: mac }),
  ])
  expect(detections).toMatchObject([{ severity: 'LOW' }])
})

test('a missing header is not compared', () => {
  const { userAgent: _, ...bare } = inSession(start + 1000)
  expect(replay([inSession(start), bare]).detections).toEqual([])
})

test('other sessions may have other clients', () => {
  const other = inSession(start + 1000, { sessionId: 's-2', userAgent: firefox })
  expect(replay([inSession(start), other]).detections).toEqual([])
})

test('a new device of a known user is low', () => {
  const { detections } = replay([login(start), login(start + 30 * day, { userAgent: firefox })])
  expect(detections).toMatchObject([{ kind: 'device', severity: 'LOW' }])
})

test('a new device in a new country and network is medium', () => {
  const stranger = login(start + 30 * day, { userAgent: firefox, country: 'BR', asn: 28573 })
  expect(replay([login(start), stranger]).detections).toMatchObject([{ severity: 'MEDIUM' }])
})

test('a known device is no news again', () => {
  const { state } = replay([login(start), login(start + day, { userAgent: firefox })])
  expect(replay([login(start + 2 * day, { userAgent: firefox })], state).detections).toEqual([])
})

test('a stolen session does not make the thief a known device', () => {
  const { state } = replay([login(start), inSession(start + 1000, { userAgent: firefox })])
  expect(state.devices).toHaveLength(1)
})

test('ten devices and twenty sessions are kept, and no session id', () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    login(start + index * day, { userAgent: `Client${index}/1`, sessionId: `secret-${index}` }),
  )
  const { state } = replay(many)
  expect(state.devices).toHaveLength(10)
  expect(state.sessions).toHaveLength(20)
  expect(JSON.stringify(state)).not.toContain('secret')
  expect(JSON.parse(JSON.stringify(state))).toEqual(state)
})
