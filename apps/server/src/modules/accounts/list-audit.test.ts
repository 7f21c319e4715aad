import type { AuditEntry } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('GET /api/audit', () => {
  const { call, newAccount, newApp } = harness()
  let key: string
  beforeAll(async () => {
    key = (await newAccount()).key
    for (let i = 1; i <= 7; i++) await newApp(key, `App ${i}`)
    await call('POST', '/api/keys', { as: key, body: { name: 'CI' } })
  })
  const list = (query = '', as = key) => call<AuditEntry[]>('GET', `/api/audit${query}`, { as })
  const sequences = (entries: readonly AuditEntry[]) => entries.map(({ sequence }) => sequence)

  describe('200', () => {
    it("answers the account's own entries, newest first", async () => {
      const reply = await list()
      expect(reply.status).toBe(200)
      expect(sequences(reply.data)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
      expect(reply.meta).toEqual({ limit: 50, nextCursor: null })
    })

    it('walks all pages by their cursors, and each entry comes once', async () => {
      const seen: number[] = []
      let cursor: string | null | undefined
      for (let page = 0; page < 5; page++) {
        const reply = await list(`?limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`)
        seen.push(...sequences(reply.data))
        cursor = reply.meta['nextCursor'] as string | null
        if (cursor === null) break
      }
      expect(cursor).toBeNull()
      expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    })

    it('says that there is no further page when the last one is full', async () => {
      expect((await list('?limit=8')).meta).toEqual({ limit: 8, nextCursor: null })
    })

    it('keeps its place while new entries come', async () => {
      const { key: own } = await newAccount()
      await newApp(own)
      await newApp(own)
      const first = await list('?limit=1', own)
      await newApp(own)
      const next = await list(`?limit=1&cursor=${String(first.meta['nextCursor'])}`, own)
      expect(sequences(next.data)).toEqual([1])
    })

    it('filters by action', async () => {
      const reply = await list('?action=key.create')
      expect(reply.data.map(({ action }) => action)).toEqual(['key.create'])
      expect((await list('?action=nothing.such')).data).toEqual([])
    })
  })

  describe('400', () => {
    it.each<[string, string]>([
      ['?limit=0', 'limit must be at least 1.'],
      ['?limit=101', 'limit must be at most 100.'],
      ['?limit=many', 'limit must be a whole number.'],
      ['?cursor=abc', 'cursor must be the nextCursor of an earlier answer.'],
      ['?cursor=-1', 'cursor must be the nextCursor of an earlier answer.'],
      ['?cursor=', 'cursor must not be empty.'],
      ['?action=', 'action must not be empty.'],
      ['?action=%00', 'action contains a NUL or half a surrogate pair, which is not text.'],
    ])('refuses %s', async (query, sentence) => {
      const reply = await list(query)
      expect(reply.status).toBe(400)
      expect(reply.error).toBe(sentence)
    })
  })
})
