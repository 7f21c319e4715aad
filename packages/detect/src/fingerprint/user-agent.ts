export interface UserAgent {
  readonly family: string
  readonly major: number
  readonly platform: string
}

/** Order matters: every Edge says Chrome too, and every Chrome says Safari. */
const families: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS|Edge)\/(\d+)/],
  ['Opera', /\b(?:OPR|Opera|OPT)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['Yandex', /\bYaBrowser\/(\d+)/],
  ['UC Browser', /\bUCBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//],
  ['Internet Explorer', /\b(?:MSIE |Trident\/.*rv:)(\d+)/],
  ['WebView', /\bAppleWebKit\/(\d+)/],
]

const platforms: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\b(?:iPhone|iPod)\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac ?OS ?X?\b|\bMacintosh\b|\bDarwin\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
]

/** Longest header that is looked at; real ones are far shorter, and the patterns must stay cheap. */
const longest = 512

export function parseUserAgent(header: string): UserAgent {
  const text = header.slice(0, longest)
  const platform = platforms.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other'
  for (const [family, pattern] of families) {
    const major = pattern.exec(text)?.[1]
    if (major !== undefined) return { family, major: Number(major), platform }
  }
  // Programs name themselves first, for example "curl/8.5.0" or "okhttp/4.12.0".
  const program = /^([A-Za-z][\w .-]{0,40}?)\/(\d{1,6})/.exec(text)
  if (program !== null)
    return { family: program[1] ?? 'other', major: Number(program[2]), platform }
  return { family: 'other', major: 0, platform }
}

/** What stays the same on one device while its browser is updated. */
export function deviceKey(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  const { family, platform } = parseUserAgent(header)
  return `${family} on ${platform}`
}
