import type { ApiKey } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'
import { LastUsed } from './last-used.ts'

describe('LastUsed', () => {
  const { call, newAccount, db, clock } = harness()
  const shown = async (key: string) => {
    const [first] = (await call<ApiKey[]>('GET', '/api/keys', { as: key })).data
    return { id: first?.id ?? '', lastUsedAt: first?.lastUsedAt }
  }

  it('writes the latest use of each key, and nothing before it is told to', async () => {
    const { key } = await newAccount()
    const lastUsed = new LastUsed()
    const { id } = await shown(key)
    lastUsed.note(id, clock.now() - 1_000)
    lastUsed.note(id, clock.now())
    expect((await shown(key)).lastUsedAt).toBeNull()
    await lastUsed.flush(db())
    expect((await shown(key)).lastUsedAt).toBe(new Date(clock.now()).toISOString())
  })

  it('never goes back in time: another node may have seen a later use', async () => {
    const { key } = await newAccount()
    const { id } = await shown(key)
    const [here, there] = [new LastUsed(), new LastUsed()]
    here.note(id, clock.now())
    there.note(id, clock.now() - 60_000)
    await here.flush(db())
    await there.flush(db())
    expect((await shown(key)).lastUsedAt).toBe(new Date(clock.now()).toISOString())
  })

  it('is not troubled by a key that is gone, nor by nothing to write', async () => {
    const lastUsed = new LastUsed()
    await lastUsed.flush(db())
    lastUsed.note('key_gone', clock.now())
    await lastUsed.flush(db())
  })
})
