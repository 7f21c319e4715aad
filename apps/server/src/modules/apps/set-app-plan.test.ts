import type { App } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { atTheSameTime } from '../../../testing/at-the-same-time.ts'
import { harness } from '../../../testing/harness.ts'

describe('PUT /api/apps/:id/plan', () => {
  const { call, newAccount, newApp, operatorKey, db, connection } = harness()
  let owner: string
  let app: App
  beforeAll(async () => {
    owner = (await newAccount()).key
    app = await newApp(owner)
  })
  const set = (plan: unknown, { as = operatorKey, id = app.id } = {}) =>
    call<App>('PUT', `/api/apps/${id}/plan`, { as, body: { plan } })

  describe('200', () => {
    it.each(['pro', 'team', 'enterprise', 'free'])(
      "lets the operator set %s on anybody's app",
      async (plan) => {
        const reply = await set(plan)
        expect(reply.status).toBe(200)
        expect(reply.data).toEqual({ ...app, plan })
        expect((await call<App>('GET', `/api/apps/${app.id}`, { as: owner })).data.plan).toBe(plan)
      },
    )
  })

  describe('400', () => {
    it.each(['gold', '', null, 3])('refuses the plan %j', async (plan) => {
      const reply = await set(plan)
      expect(reply.status).toBe(400)
      expect(reply.error).toMatch(/^plan must be /)
    })

    it('names the plans there are', async () => {
      expect((await set('gold')).error).toBe('plan must be one of free, pro, team, enterprise.')
    })
  })

  describe('403', () => {
    it("refuses the app's owner", async () => {
      const reply = await set('enterprise', { as: owner })
      expect(reply.status).toBe(403)
      expect(reply.error).toContain('operator')
    })
  })

  describe('404', () => {
    it('says that an id exists nowhere', async () => {
      expect((await set('pro', { id: 'app_01M7EGPXZ6ANEYWH20MFNTW72G' })).status).toBe(404)
    })

    it('says so of an app that is deleted while the change is on its way', async () => {
      const doomed = await newApp(owner)
      const [reply] = await atTheSameTime(
        { db: db(), connection: connection() },
        {
          lock: `select 1 from apps where id = '${doomed.id}' for update`,
          start: () => [set('pro', { id: doomed.id })],
          waiting: 1,
          meanwhile: `delete from apps where id = '${doomed.id}'`,
        },
      )
      expect(reply?.status).toBe(404)
    })
  })
})
