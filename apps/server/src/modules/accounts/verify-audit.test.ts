import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '@merlon/contract'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

interface Verdict {
  intact: boolean
  entries: number
  brokenAtSequence: number | null
  headHash: string | null
}

describe('GET /api/audit/verify', () => {
  const { call, newAccount, newApp, db, connection } = harness()
  const verify = async (as: string) =>
    (await call<Verdict>('GET', '/api/audit/verify', { as })).data
  const accountWithEntries = async (count: number) => {
    const account = await newAccount()
    for (let i = 0; i < count; i++) await newApp(account.key, `App ${i} 🏰 "quoted" \\ 1e3`)
    return account
  }
  /** As the database's owner could do it, past the trigger that forbids it. */
  const tamper = async (statement: string) => {
    await sql`alter table audit_log disable trigger audit_log_append_only`.execute(db())
    await sql.raw(statement).execute(db())
    await sql`alter table audit_log enable trigger audit_log_append_only`.execute(db())
  }

  describe('200', () => {
    it('finds an empty chain whole', async () => {
      const { key } = await newAccount()
      expect(await verify(key)).toEqual({
        intact: true,
        entries: 0,
        brokenAtSequence: null,
        headHash: null,
      })
    })

    it('finds a chain whole and answers the hash of its newest entry', async () => {
      const { key } = await accountWithEntries(3)
      const { data } = await call<AuditEntry[]>('GET', '/api/audit', { as: key })
      expect(await verify(key)).toEqual({
        intact: true,
        entries: 3,
        brokenAtSequence: null,
        headHash: data[0]?.hash,
      })
    })

    it.each([
      ['a changed field', (id: string) => `update audit_log set action = 'x' where ${second(id)}`],
      [
        'a changed actor',
        (id: string) => `update audit_log set actor_id = null where ${second(id)}`,
      ],
      [
        'a changed value inside',
        (id: string) =>
          `update audit_log set after = jsonb_set(after, '{plan}', '"pro"') where ${second(id)}`,
      ],
      [
        'a changed time',
        (id: string) => `update audit_log set at = at - interval '1 ms' where ${second(id)}`,
      ],
      [
        'a changed hash',
        (id: string) => `update audit_log set hash = sha256('x') where ${second(id)}`,
      ],
    ])('finds %s', async (_what, statement) => {
      const { key, id } = await accountWithEntries(3)
      await tamper(statement(id))
      expect(await verify(key)).toMatchObject({ intact: false, entries: 1, brokenAtSequence: 2 })
    })

    it('finds a removed entry', async () => {
      const { key, id } = await accountWithEntries(3)
      await tamper(`delete from audit_log where ${second(id)}`)
      expect(await verify(key)).toMatchObject({ intact: false, entries: 1, brokenAtSequence: 3 })
    })

    it("is not confused by another account's broken chain", async () => {
      const [mine, other] = [await accountWithEntries(2), await accountWithEntries(2)]
      await tamper(`update audit_log set action = 'x' where ${second(other.id)}`)
      expect((await verify(mine.key)).intact).toBe(true)
    })

    it('finds one chain where many wrote at once', async () => {
      const { key, id } = await newAccount()
      await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from accounts where id = '${id}' for update`,
          start: () => Array.from({ length: 6 }, (_, i) => newApp(key, `App ${i}`)),
          waiting: 6,
        },
      )
      expect(await verify(key)).toMatchObject({ intact: true, entries: 6 })
    })

    it('walks a chain that is longer than a page', async () => {
      const { key, id } = await accountWithEntries(1)
      await sql`
        insert into audit_log (account_id, sequence, id, action, actor_kind, at, hash)
        select ${id}, n, ${`${id} `} || n, 'x', 'system', now(), ''
        from generate_series(2, 1500) n`.execute(db())
      expect(await verify(key)).toMatchObject({ intact: false, brokenAtSequence: 2 })
    })
  })

  it('needs no word of ours to be append-only: the database itself refuses a change', async () => {
    const { id } = await accountWithEntries(2)
    const change = sql`update audit_log set action = 'x' where account_id = ${id}`.execute(db())
    await expect(change).rejects.toThrow('append-only')
    const removal = sql`delete from audit_log where account_id = ${id}`.execute(db())
    await expect(removal).rejects.toThrow('append-only')
  })
})

function second(accountId: string): string {
  return `account_id = '${accountId}' and sequence = 2`
}
