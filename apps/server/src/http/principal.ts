import type { AppSettings } from '@merlon/contract'
import type { Plan } from '@merlon/base'

/** Who came through the door, resolved and cached. */
export interface AccountPrincipal {
  readonly kind: 'account'
  readonly accountId: string
  readonly accountRole: 'operator' | 'customer'
  readonly accountStatus: 'active' | 'suspended'
  /** Either a key or a person. */
  readonly via: 'key' | 'session'
  readonly keyId?: string
  readonly keyName?: string
  readonly userId?: string
  readonly email?: string
  readonly sessionId?: string
  readonly expiresAt: number | undefined
}

export interface AppPrincipal {
  readonly kind: 'app'
  readonly appId: string
  readonly accountId: string
  readonly accountStatus: 'active' | 'suspended'
  readonly appStatus: 'active' | 'suspended'
  readonly plan: Plan
  readonly settings: AppSettings
  readonly expiresAt: number | undefined
}

export type Principal = AccountPrincipal | AppPrincipal

/** An app that was found, is owned by the caller and has the plan: the handler need not ask again. */
export interface OwnedApp {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly plan: Plan
  readonly status: 'active' | 'suspended'
  readonly settings: AppSettings
  readonly keySealed: Uint8Array
  readonly securityScore: number
  readonly githubRepo: string | null
  readonly githubInstallationId: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What the doors ask of the rooms: passed in by app.ts, since http knows no module. */
export interface Lookups {
  findAccountByKeyHash(hash: Buffer): Promise<AccountPrincipal | undefined>
  findAccountBySessionHash(hash: Buffer): Promise<AccountPrincipal | undefined>
  findAppByKeyHash(hash: Buffer): Promise<AppPrincipal | undefined>
  findApp(id: string): Promise<OwnedApp | undefined>
}
