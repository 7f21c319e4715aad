import { parseUserAgent } from './user-agent.ts'

export interface FingerprintInput {
  readonly userAgent?: string
  readonly acceptLanguage?: string
  readonly asn?: number
  readonly country?: string
}

/** What a client looks like from outside; a field that was not sent is absent and never compared. */
export interface Fingerprint {
  readonly family?: string
  readonly major?: number
  readonly platform?: string
  readonly language?: string
  readonly asn?: number
  readonly country?: string
}

export function fingerprintOf(input: FingerprintInput): Fingerprint {
  const agent = input.userAgent ? parseUserAgent(input.userAgent) : undefined
  const language = input.acceptLanguage ? firstLanguage(input.acceptLanguage) : undefined
  return {
    ...agent,
    ...(language === undefined ? {} : { language }),
    ...(input.asn === undefined ? {} : { asn: input.asn }),
    ...(input.country === undefined ? {} : { country: input.country.toUpperCase() }),
  }
}

/** The same device: family, platform and language, since version and network change by themselves. */
export function sameDevice(a: Fingerprint, b: Fingerprint): boolean {
  return agree(a.family, b.family) && agree(a.platform, b.platform) && agree(a.language, b.language)
}

export function isEmptyFingerprint(print: Fingerprint): boolean {
  return print.family === undefined && print.language === undefined && print.asn === undefined
}

export interface FingerprintDifference {
  readonly field: 'browser' | 'version' | 'platform' | 'language' | 'network' | 'country'
  readonly before: string
  readonly after: string
}

/** What differs between two sightings; a browser that got newer is no difference. */
export function differences(before: Fingerprint, after: Fingerprint): FingerprintDifference[] {
  const found: FingerprintDifference[] = []
  const note = (
    field: FingerprintDifference['field'],
    old: string | number | undefined,
    now: string | number | undefined,
  ) => {
    if (!agree(old, now)) found.push({ field, before: String(old), after: String(now) })
  }
  note('browser', before.family, after.family)
  note('platform', before.platform, after.platform)
  note('language', before.language, after.language)
  note('network', before.asn, after.asn)
  note('country', before.country, after.country)
  const sameBrowser = before.family === after.family && before.platform === after.platform
  // Browsers update themselves, but they do not go back.
  if (sameBrowser && (after.major ?? 0) < (before.major ?? 0) && after.major !== undefined) {
    note('version', before.major, after.major)
  }
  return found
}

const desktopModes: readonly (readonly [string, string])[] = [
  ['iPhone', 'macOS'],
  ['iPad', 'macOS'],
  ['Android', 'Linux'],
]

/** Phones and tablets offer "request desktop site", which changes the platform they name. */
export function isDesktopMode(before: Fingerprint, after: Fingerprint): boolean {
  if (before.family !== after.family || before.major !== after.major) return false
  return desktopModes.some(
    ([small, large]) =>
      (before.platform === small && after.platform === large) ||
      (before.platform === large && after.platform === small),
  )
}

export function fingerprintName(print: Fingerprint): string {
  const browser =
    print.family === undefined ? 'unknown client' : `${print.family} ${print.major ?? ''}`
  const platform = print.platform === undefined ? '' : ` on ${print.platform}`
  return `${browser.trim()}${platform}`
}

function agree<T>(a: T | undefined, b: T | undefined): boolean {
  return a === undefined || b === undefined || a === b
}

function firstLanguage(header: string): string | undefined {
  return /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)/.exec(header.slice(0, 64))?.[1]?.toLowerCase()
}
