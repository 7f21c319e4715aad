import { createKey, keyKindOf } from '@merlon/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createKeyring } from '../../secrets/keyring.ts'
import { findByKeyHash } from './api-keys.repo.ts'
import { bootstrap } from './bootstrap.ts'

const NOW = Date.UTC(2026, 0, 31)

describe('the first start', () => {
  const keyring = createKeyring('a secret for tests, of thirty-two characters or more')
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    await database.db.deleteFrom('accounts').execute()
  })
  const start = (apiKey?: string) =>
    bootstrap(database.db, keyring, { apiKey, publicUrl: 'http://merlon.test', now: NOW })
  const accountOf = (key: string) => findByKeyHash(database.db, keyring.mac('api-key', key))

  it('makes the operator, a key that works and a sign-in link', async () => {
    const first = await start()
    expect(first?.signInUrl).toMatch(/^http:\/\/merlon\.test\/signin#token=[\w-]{43}$/)
    expect(keyKindOf(first?.apiKey ?? '')).toBe('account')
    expect(await accountOf(first?.apiKey ?? '')).toMatchObject({ accountRole: 'operator' })
  })

  it('takes the key that automation has chosen', async () => {
    const chosen = createKey('account')
    expect((await start(chosen))?.apiKey).toBe(chosen)
    expect(await accountOf(chosen)).toMatchObject({ accountRole: 'operator' })
  })

  it('happens once: a later start shows nothing and changes nothing', async () => {
    await start()
    const later = createKey('account')
    expect(await start(later)).toBeUndefined()
    expect(await accountOf(later)).toBeUndefined()
  })

  it('happens once also when two servers start together', async () => {
    const starts = await atTheSameTime(database, {
      lock: 'lock table accounts in exclusive mode',
      start: () => [start(), start()],
      waiting: 2,
    })
    expect(starts.filter((first) => first !== undefined)).toHaveLength(1)
    expect(await database.db.selectFrom('accounts').select('id').execute()).toHaveLength(1)
  })
})
