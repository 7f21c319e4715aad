import { shortHash } from '../short-hash.ts'
import { weighDevice, weighSession } from './weigh-change.ts'
import { fingerprintOf, isEmptyFingerprint, sameDevice, type Fingerprint } from './fingerprint.ts'
import type {
  FingerprintDetection,
  FingerprintResult,
  FingerprintSighting,
  FingerprintState,
  KnownDevice,
  KnownSession,
} from './types.ts'

const limits = { devices: 10, sessions: 20, printsPerSession: 4 }

/** Compares a login, or any event that names its session, with what the user's clients looked like. */
export function detectFingerprintChange(
  known: FingerprintState | undefined,
  sighting: FingerprintSighting,
): FingerprintResult {
  const state = known ?? { firstSeenAt: sighting.at, devices: [], sessions: [] }
  const print = fingerprintOf(sighting)
  if (isEmptyFingerprint(print)) return { state }
  const session = sessionOf(state, sighting)
  const detection =
    detectInSession(session, print, sighting) ??
    (sighting.isLogin ? detectDevice(state, print, sighting) : undefined)
  const next: FingerprintState = {
    firstSeenAt: Math.min(state.firstSeenAt, sighting.at),
    // A stolen session must not make the thief's client a known one: only logins introduce devices.
    devices: sighting.isLogin ? withDevice(state.devices, print, sighting.at) : state.devices,
    sessions: withSession(state.sessions, print, sighting),
  }
  return detection === undefined ? { state: next } : { state: next, detection }
}

function sessionOf(
  state: FingerprintState,
  sighting: FingerprintSighting,
): KnownSession | undefined {
  if (sighting.sessionId === undefined) return undefined
  const id = shortHash(sighting.sessionId)
  return state.sessions.find((session) => session.id === id)
}

function detectInSession(
  session: KnownSession | undefined,
  print: Fingerprint,
  sighting: FingerprintSighting,
): FingerprintDetection | undefined {
  const [before] = session?.prints ?? []
  if (session === undefined || before === undefined) return undefined
  // Each client of a session is reported once, however many requests it makes.
  const judged = session.prints.map((earlier) => weighSession(earlier, print))
  if (judged.some((weight) => weight === undefined)) return undefined
  const weight = judged.at(-1)
  if (weight === undefined) return undefined
  const latest = session.prints.at(-1) ?? before
  return {
    type: 'session.fingerprint_changed',
    kind: 'session',
    at: sighting.at,
    before: latest,
    after: print,
    ...weight,
  }
}

function detectDevice(
  state: FingerprintState,
  print: Fingerprint,
  sighting: FingerprintSighting,
): FingerprintDetection | undefined {
  const prints = state.devices.map((device) => device.print)
  const latest = state.devices.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)[0]
  if (latest === undefined || prints.some((other) => sameDevice(other, print))) return undefined
  const weight = weighDevice(state, print, sighting, latest.print)
  return {
    type: 'session.fingerprint_changed',
    kind: 'device',
    at: sighting.at,
    before: latest.print,
    after: print,
    ...weight,
  }
}

function withDevice(
  devices: readonly KnownDevice[],
  print: Fingerprint,
  at: number,
): KnownDevice[] {
  const existing = devices.find((device) => sameDevice(device.print, print))
  const updated: KnownDevice = {
    print: { ...existing?.print, ...print },
    firstSeenAt: Math.min(existing?.firstSeenAt ?? at, at),
    lastSeenAt: Math.max(existing?.lastSeenAt ?? at, at),
    count: (existing?.count ?? 0) + 1,
  }
  const others = devices.filter((device) => device !== existing)
  return [...others, updated].toSorted((a, b) => a.lastSeenAt - b.lastSeenAt).slice(-limits.devices)
}

function withSession(
  sessions: readonly KnownSession[],
  print: Fingerprint,
  sighting: FingerprintSighting,
): readonly KnownSession[] {
  if (sighting.sessionId === undefined) return sessions
  const id = shortHash(sighting.sessionId)
  const existing = sessions.find((session) => session.id === id)
  const earlier = existing?.prints ?? []
  // A change that was harmless takes the older print's place, so that updates do not fill the list.
  const kept = earlier.filter((other) => weighSession(other, print) !== undefined)
  const updated: KnownSession = {
    id,
    at: Math.max(existing?.at ?? sighting.at, sighting.at),
    prints: [...kept, print].slice(-limits.printsPerSession),
  }
  const others = sessions.filter((session) => session.id !== id)
  return [...others, updated].toSorted((a, b) => a.at - b.at).slice(-limits.sessions)
}
