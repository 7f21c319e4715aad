import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { reservedRange } from '@merlon/base'

export interface GuardOptions {
  /** Whether loopback, private and other reserved addresses may be called. */
  readonly allowPrivate: boolean
}

/** All the addresses of a name. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

export const resolveWithSystem: ResolveName = (hostname) => systemLookup(hostname, { all: true })

/** The address may not be called. The sentence is fit for the person who gave it. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * What is wrong with an address before any connection is made, as the end of a sentence that
 * begins with the field's name; undefined when it may be tried. URL has already read 127.1,
 * 2130706433 and 0x7f.1 as 127.0.0.1, and ::ffff:127.0.0.1 is known as what it stands for.
 */
export function refusalOfUrl(text: string, { allowPrivate }: GuardOptions): string | undefined {
  if (!URL.canParse(text)) return 'must be a full http or https address.'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http or https.'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password.'
  const host = hostOf(url.hostname)
  if (allowPrivate) return undefined
  if (isIP(host) === 0) {
    return /(^|\.)localhost\.?$/.test(host)
      ? `must be a public address; ${host} is this machine.`
      : undefined
  }
  const range = reservedRange(host)
  return range === undefined ? undefined : `must be a public address; ${host} is ${range}.`
}

/** URL writes an IPv6 address in brackets. */
export function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Throws where an address may not be connected to. */
export function requireAllowed(
  host: string,
  address: string,
  { allowPrivate }: GuardOptions,
): void {
  if (allowPrivate) return
  const range = reservedRange(address)
  if (range === undefined) return
  const of = host === address ? '' : `, an address of ${host},`
  throw new AddressRefused(`${address}${of} is ${range}; only public addresses are called.`)
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

/**
 * Resolves a name in the very step that connects, so that what was checked is what is connected
 * to: a name that answers differently the second time gains nothing. One bad answer among good
 * ones refuses them all, because the connection is free to pick any.
 */
export function guardedLookup(options: GuardOptions, resolve: ResolveName) {
  const allowedAddresses = async (hostname: string): Promise<LookupAddress[]> => {
    const found = await resolve(hostname)
    if (found.length === 0) throw new AddressRefused(`${hostname} has no address.`)
    for (const { address } of found) requireAllowed(hostname, address, options)
    return [...found]
  }
  const look = async (hostname: string, all: boolean, callback: LookupCallback): Promise<void> => {
    let found: LookupAddress[]
    try {
      found = await allowedAddresses(hostname)
    } catch (error) {
      return callback(error as Error, [])
    }
    if (all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
  return (hostname: string, { all }: LookupOptions, callback: LookupCallback): void =>
    void look(hostname, all === true, callback)
}
