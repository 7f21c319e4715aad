import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import type { Tx } from './database.ts'
import { inTransaction, inTransactionWithRetry } from './tx.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table counters (name text primary key, value int not null)`.execute(database.db)
  await sql`insert into counters values ('a', 0), ('b', 0)`.execute(database.db)
})
afterAll(() => database?.drop())

const count = async (tx: Tx, name: string): Promise<void> => {
  await sql`update counters set value = value + 1 where name = ${name}`.execute(tx)
}

/** Two transactions that take two rows crosswise, each waiting until both hold their first. */
async function crosswise(run: typeof inTransaction): Promise<PromiseSettledResult<void>[]> {
  let holding = 0
  let bothHold = (): void => undefined
  const met = new Promise<void>((resolve) => (bothHold = resolve))
  const take = (first: string, second: string) =>
    run(database.db, async (tx) => {
      await count(tx, first)
      if (++holding >= 2) bothHold()
      await met
      await count(tx, second)
    })
  return Promise.allSettled([take('a', 'b'), take('b', 'a')])
}

describe('transactions that block each other', () => {
  it('lose one of the two without a retry', async () => {
    const outcomes = await crosswise(inTransaction)
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('both succeed with a retry, and each counts once', async () => {
    await sql`update counters set value = 0`.execute(database.db)
    const outcomes = await crosswise(inTransactionWithRetry)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    const { rows } = await sql`select name, value from counters order by name`.execute(database.db)
    expect(rows).toEqual([
      { name: 'a', value: 2 },
      { name: 'b', value: 2 },
    ])
  })

  it('do not run again after any other error', async () => {
    let runs = 0
    const failing = inTransactionWithRetry(database.db, async () => {
      runs += 1
      throw new Error('of another kind')
    })
    await expect(failing).rejects.toThrow('of another kind')
    expect(runs).toBe(1)
  })
})
