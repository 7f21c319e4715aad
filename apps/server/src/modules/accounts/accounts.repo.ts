import { createId } from '@merlon/base'
import type { Account } from '@merlon/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

const columns = ['id', 'name', 'role', 'status', 'created_at'] as const

interface Row {
  id: string
  name: string
  role: string
  status: string
  created_at: Date
}

export function toAccount(row: Row): Account {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Account['role'],
    status: row.status as Account['status'],
    createdAt: row.created_at.toISOString(),
  }
}

export async function insertAccount(
  db: Db,
  account: { name: string; role: Account['role'] },
  now: number,
): Promise<Account> {
  const row = {
    ...account,
    id: createId('account', now),
    status: 'active',
    created_at: new Date(now),
  }
  await db.insertInto('accounts').values(row).execute()
  return toAccount(row)
}

export async function listAccounts(db: Db): Promise<Account[]> {
  const rows = await db.selectFrom('accounts').select(columns).orderBy('id').execute()
  return rows.map(toAccount)
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Any fixed number: servers that start together on an empty database must ask for the same lock. */
const FIRST_START_LOCK = 7_262_006

/** Until the end of the transaction: of two first starts the second then finds the first's operator. */
export async function lockFirstStart(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FIRST_START_LOCK})`.execute(db)
}

export async function findOperator(db: Db): Promise<Account | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(columns)
    .where('role', '=', 'operator')
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function updateAccount(
  db: Db,
  id: string,
  change: { name?: string; status?: Account['status'] },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db.updateTable('accounts').set(change).where('id', '=', id).execute()
}
