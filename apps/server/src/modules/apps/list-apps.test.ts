import type { AppSummary } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/apps', () => {
  const { call, newAccount, newApp, clock } = harness()

  describe('200', () => {
    it('is empty for an account without an app', async () => {
      const { key } = await newAccount()
      const reply = await call<AppSummary[]>('GET', '/api/apps', { as: key })
      expect(reply.raw.json()).toEqual({ ok: true, data: [], meta: { total: 0 } })
    })

    it("answers the account's own apps, oldest first, without their settings", async () => {
      const [{ key }, stranger] = [await newAccount(), await newAccount()]
      const first = await newApp(key, 'First')
      clock.advance({ seconds: 1 })
      const second = await newApp(key, 'Second')
      await newApp(stranger.key, 'Not mine')
      const reply = await call<AppSummary[]>('GET', '/api/apps', { as: key })
      const summaries = [first, second].map(({ settings: _settings, ...summary }) => summary)
      expect(reply.data).toEqual(summaries)
      expect(reply.meta).toEqual({ total: 2 })
    })

    it('shows the same app key every time', async () => {
      const { key } = await newAccount()
      const app = await newApp(key)
      const reply = await call<AppSummary[]>('GET', '/api/apps', { as: key })
      expect(reply.data[0]?.apiKey).toBe(app.apiKey)
    })
  })
})
