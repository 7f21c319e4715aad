import { describe, expect, it } from 'vitest'
import { CredentialCache } from './credential-cache.ts'
import type { AccountPrincipal } from './principal.ts'

const principal: AccountPrincipal = {
  kind: 'account',
  accountId: 'acct_1',
  accountRole: 'customer',
  accountStatus: 'active',
  via: 'key',
  expiresAt: undefined,
}
const hash = Buffer.from('hash')

function setup(connected = true) {
  let now = 0
  let loads = 0
  const cache = new CredentialCache({ now: () => now })
  cache.setConnected(connected)
  const ask = (found: AccountPrincipal | undefined = principal) =>
    cache.resolve(hash, async () => {
      loads++
      return found
    })
  return { cache, ask, advance: (ms: number) => (now += ms), loads: () => loads }
}

describe('CredentialCache', () => {
  it('asks once within its time', async () => {
    const { ask, loads, advance } = setup()
    await ask()
    await ask()
    expect(loads()).toBe(1)
    advance(31_000)
    await ask()
    expect(loads()).toBe(2)
  })

  it('keeps nothing while change notices cannot arrive', async () => {
    const { ask, loads } = setup(false)
    await ask()
    await ask()
    expect(loads()).toBe(2)
  })

  it('forgets everything when told of a change', async () => {
    const { ask, loads, cache } = setup()
    await ask()
    cache.clear()
    await ask()
    expect(loads()).toBe(2)
  })

  it('does not keep an answer that a change overtook', async () => {
    const { cache, loads, ask } = setup()
    await cache.resolve(hash, async () => {
      cache.clear()
      return principal
    })
    await ask()
    expect(loads()).toBe(1)
  })

  it('refuses a cached credential from the moment it expires', async () => {
    const { ask, advance } = setup()
    const brief = { ...principal, expiresAt: 5_000 }
    expect(await ask(brief)).toEqual(brief)
    advance(5_000)
    expect(await ask(brief)).toBeUndefined()
  })
})
