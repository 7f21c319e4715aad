import { createId, createKey } from '@merlon/base'
import type { App, AppSettings, AppSummary } from '@merlon/contract'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import type { OwnedApp } from '../../http/principal.ts'
import type { Keyring } from '../../secrets/keyring.ts'

const columns = [
  'id',
  'account_id',
  'name',
  'key_sealed',
  'security_score',
  'plan',
  'status',
  'github_repo',
  'github_installation_id',
  'settings',
  'created_at',
  'updated_at',
] as const

interface Row {
  id: string
  account_id: string
  name: string
  key_sealed: Buffer
  security_score: number
  plan: string
  status: string
  github_repo: string | null
  github_installation_id: number | null
  settings: unknown
  created_at: Date
  updated_at: Date
}

function toOwnedApp(row: Row): OwnedApp {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    keySealed: row.key_sealed,
    securityScore: row.security_score,
    plan: row.plan as OwnedApp['plan'],
    status: row.status as OwnedApp['status'],
    githubRepo: row.github_repo,
    githubInstallationId: row.github_installation_id,
    settings: row.settings as AppSettings,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toSummary(app: OwnedApp, keyring: Keyring): AppSummary {
  return {
    id: app.id,
    name: app.name,
    apiKey: keyring.open(app.id, app.keySealed),
    securityScore: app.securityScore,
    plan: app.plan,
    status: app.status,
    githubRepo: app.githubRepo,
    githubInstallationId: app.githubInstallationId,
    createdAt: app.createdAt.toISOString(),
    updatedAt: app.updatedAt.toISOString(),
  }
}

export function toApp(app: OwnedApp, keyring: Keyring): App {
  return { ...toSummary(app, keyring), settings: app.settings }
}

/** What the audit log keeps of an app: everything but its key. */
export function toAuditable(app: OwnedApp): Omit<App, 'apiKey'> {
  const { keySealed: _sealed, accountId: _account, createdAt, updatedAt, ...rest } = app
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

/** Asked by nearly every call, so PostgreSQL keeps the statement instead of planning it each time. */
export async function findApp(pool: pg.Pool, id: string): Promise<OwnedApp | undefined> {
  const { rows } = await pool.query<Row>({ name: 'find-app', text: FIND_APP, values: [id] })
  return rows[0] && toOwnedApp(rows[0])
}

const FIND_APP = `select ${columns.join(', ')} from apps where id = $1`

export async function listApps(db: Db, accountId: string): Promise<OwnedApp[]> {
  const rows = await db
    .selectFrom('apps')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(toOwnedApp)
}

export async function insertApp(
  db: Db,
  keyring: Keyring,
  input: {
    accountId: string
    name: string
    githubRepo: string | null
    plan: string
    settings: AppSettings
  },
  now: number,
): Promise<OwnedApp> {
  const id = createId('app', now)
  const key = createKey('app')
  const row = await db
    .insertInto('apps')
    .values({
      id,
      account_id: input.accountId,
      name: input.name,
      key_sealed: keyring.seal(id, key),
      plan: input.plan,
      github_repo: input.githubRepo,
      settings: JSON.stringify(input.settings),
      created_at: new Date(now),
      updated_at: new Date(now),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await insertAppKey(db, keyring, id, key, now)
  return toOwnedApp(row)
}

async function insertAppKey(
  db: Db,
  keyring: Keyring,
  appId: string,
  key: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('app_keys')
    .values({ key_hash: keyring.mac('app-key', key), app_id: appId, created_at: new Date(now) })
    .execute()
}

export interface AppChange {
  name?: string
  githubRepo?: string | null
  githubInstallationId?: number | null
  plan?: string
}

/** Undefined when the app was deleted while the call was on its way. */
export async function updateApp(
  db: Db,
  id: string,
  change: AppChange,
  now: number,
): Promise<OwnedApp | undefined> {
  const row = await db
    .updateTable('apps')
    .set({
      updated_at: new Date(now),
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.githubRepo === undefined ? {} : { github_repo: change.githubRepo }),
      ...(change.githubInstallationId === undefined
        ? {}
        : { github_installation_id: change.githubInstallationId }),
      ...(change.plan === undefined ? {} : { plan: change.plan }),
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toOwnedApp(row)
}

/** The row is locked first: two changes of different sections at once must both be kept. */
export async function settingsForUpdate(db: Db, id: string): Promise<AppSettings | undefined> {
  const row = await db
    .selectFrom('apps')
    .select('settings')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.settings as unknown as AppSettings | undefined
}

export async function writeSettings(
  db: Db,
  id: string,
  settings: AppSettings,
  now: number,
): Promise<void> {
  await db
    .updateTable('apps')
    .set({ settings: JSON.stringify(settings), updated_at: new Date(now) })
    .where('id', '=', id)
    .execute()
}

/**
 * Undefined when the app was deleted meanwhile. The app's row is written first: of two rotations at
 * once the second then waits, sees the key of the first, and ends it too.
 */
export async function rotateKey(
  db: Db,
  keyring: Keyring,
  id: string,
  now: number,
  graceMs: number,
): Promise<{ apiKey: string; oldKeyExpiresAt: Date } | undefined> {
  const apiKey = createKey('app')
  const app = await db
    .updateTable('apps')
    .set({ key_sealed: keyring.seal(id, apiKey), updated_at: new Date(now) })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (app === undefined) return undefined
  const oldKeyExpiresAt = new Date(now + graceMs)
  // Keys in an earlier grace period keep their own, sooner end.
  await db
    .updateTable('app_keys')
    .set({ expires_at: oldKeyExpiresAt })
    .where('app_id', '=', id)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', oldKeyExpiresAt)]),
    )
    .execute()
  await insertAppKey(db, keyring, id, apiKey, now)
  return { apiKey, oldKeyExpiresAt }
}

export async function deleteExpiredAppKeys(db: Db, now: number): Promise<void> {
  await db.deleteFrom('app_keys').where('expires_at', '<', new Date(now)).execute()
}
