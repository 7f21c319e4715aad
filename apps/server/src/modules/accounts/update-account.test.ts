import type { Account } from '@merlon/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAppKeyDoor, type AppKeyDoor } from '../../../testing/app-key-door.ts'
import { harness } from '../../../testing/harness.ts'

describe('PATCH /api/accounts/:id', () => {
  const house = harness()
  const { call, newAccount, newApp, signIn, operatorKey } = house
  let door: AppKeyDoor
  beforeAll(async () => {
    door = await openAppKeyDoor(house)
  })
  afterAll(() => door.close())
  const update = (id: string, body: unknown, as = operatorKey) =>
    call<Account>('PATCH', `/api/accounts/${id}`, { as, body })
  const operatorId = async () =>
    (await call<{ account: Account }>('GET', '/api/auth/me', { as: operatorKey })).data.account.id

  describe('200', () => {
    it('renames an account and keeps the rest', async () => {
      const { id } = await newAccount()
      const reply = await update(id, { name: 'Renamed' })
      expect(reply.status).toBe(200)
      expect(reply.data).toMatchObject({ id, name: 'Renamed', status: 'active', role: 'customer' })
    })

    it('suspends: every call by key, session and app key is 403 until it is lifted', async () => {
      const { id, key, signInUrl } = await newAccount()
      const { headers } = await signIn(signInUrl)
      const app = await newApp(key)
      const statuses = async () => [
        (await call('GET', '/api/apps', { as: key })).status,
        (await call('POST', '/api/apps', { as: key, body: { name: 'x' } })).status,
        (await call('GET', '/api/auth/me', { headers })).status,
      ]
      expect(await statuses()).toEqual([200, 201, 200])
      expect(await door.status(app.apiKey)).toBe(204)

      expect((await update(id, { status: 'suspended' })).data.status).toBe('suspended')
      expect(await statuses()).toEqual([403, 403, 403])
      await expect.poll(() => door.status(app.apiKey), { timeout: 1_000, interval: 5 }).toBe(403)

      await update(id, { status: 'active' })
      expect(await statuses()).toEqual([200, 201, 200])
      await expect.poll(() => door.status(app.apiKey), { timeout: 1_000, interval: 5 }).toBe(204)
    })

    it('changes nothing for an empty body', async () => {
      const { id } = await newAccount()
      expect((await update(id, {})).data.status).toBe('active')
    })

    it('lets the operator rename the own account', async () => {
      expect((await update(await operatorId(), { name: 'Us' })).data.name).toBe('Us')
    })
  })

  describe('400', () => {
    it.each<[unknown, string]>([
      [{ status: 'paused' }, 'status must be one of active, suspended.'],
      [{ name: '' }, 'name must not be empty.'],
      [{ role: 'operator' }, 'role is not a known field.'],
    ])('refuses %j', async (body, sentence) => {
      const { id } = await newAccount()
      const reply = await update(id, body)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })
  })

  describe('403', () => {
    it('refuses a customer, also for the own account', async () => {
      const { id, key } = await newAccount()
      expect((await update(id, { name: 'Mine' }, key)).status).toBe(403)
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await update('acct_01M7EGPXZ6ANEYWH20MFNTW72G', {})).status).toBe(404)
    })
  })

  describe('409', () => {
    it('does not let the operator lock the operator out', async () => {
      const reply = await update(await operatorId(), { status: 'suspended' })
      expect(reply.status).toBe(409)
      expect((await call('GET', '/api/accounts', { as: operatorKey })).status).toBe(200)
    })
  })
})
