import type { StoredLogin } from './config-file.ts'
import { UsageError } from './exit-code.ts'

export interface Settings {
  readonly url: string
  readonly apiKey: string | undefined
  /** The key of this very call, from flag or environment, and not the one that is kept. */
  readonly givenKey: string | undefined
  /** Why there is no key although one is stored. */
  readonly keyIsForAnotherServer: string | undefined
}

interface Flags {
  readonly url?: string | undefined
  readonly key?: string | undefined
}

export const DEFAULT_URL = 'http://127.0.0.1:4000'

/** Config file < environment < flag. */
export function resolveSettings(
  stored: StoredLogin,
  env: Readonly<Record<string, string | undefined>>,
  flags: Flags,
): Settings {
  const url = serverUrl(flags.url ?? (env.MERLON_URL || undefined) ?? stored.url ?? DEFAULT_URL)
  const givenKey = flags.key ?? (env.MERLON_API_KEY || undefined)
  if (givenKey !== undefined || stored.apiKey === undefined) {
    return { url, givenKey, apiKey: givenKey, keyIsForAnotherServer: undefined }
  }
  // A key goes only to the server it was stored for: a mistyped --url must not learn it.
  const storedUrl = serverUrl(stored.url ?? DEFAULT_URL)
  return storedUrl === url
    ? { url, givenKey, apiKey: stored.apiKey, keyIsForAnotherServer: undefined }
    : { url, givenKey, apiKey: undefined, keyIsForAnotherServer: storedUrl }
}

/** One spelling for one server, so that two addresses can be compared. */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${text}" is no address of a server; one looks like ${DEFAULT_URL}.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('An address holds no user name or password; give the key with --key.')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Over plain HTTP the key is readable on the way, unless the way never leaves this machine. */
export function isSentInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
