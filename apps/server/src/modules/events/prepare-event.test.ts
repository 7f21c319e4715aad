import { beforeAll, describe, expect, it } from 'vitest'
import { event, ingest, stored } from '../../../testing/events.ts'
import { harness } from '../../../testing/harness.ts'

describe('what is kept of an event', () => {
  const house = harness()
  const { call, newAccount, newApp } = house
  let key = ''
  beforeAll(async () => {
    key = (await newAccount()).key
  })
  const newest = async (appId: string) => (await stored(house, key, appId))[0]

  it('follows the fields that are sensitive at this moment', async () => {
    const app = await newApp(key)
    const payload = { email: 'a@b.c', token: 't' }
    await ingest(house, app.apiKey, event({ payload }))
    expect((await newest(app.id))?.payload).toEqual({ email: '[redacted]', token: 't' })
    const change = async (sensitiveFields: string[]) => {
      const body = { vault: { sensitiveFields } }
      await call('PATCH', `/api/apps/${app.id}/settings`, { as: key, body })
    }
    await change(['token'])
    await ingest(house, app.apiKey, event({ payload }))
    expect((await newest(app.id))?.payload).toEqual({ email: 'a@b.c', token: '[redacted]' })
    await change([])
    await ingest(house, app.apiKey, event({ payload }))
    expect((await newest(app.id))?.payload).toEqual(payload)
  })

  it('is nothing where a field is empty or null', async () => {
    const app = await newApp(key)
    const fields = {
      ip: '',
      userId: '',
      description: null,
      payload: null,
      timestamp: null,
      id: null,
    }
    expect((await ingest(house, app.apiKey, event(fields))).status).toBe(201)
    expect(await newest(app.id)).toMatchObject({
      ip: null,
      userId: null,
      description: null,
      payload: null,
      country: null,
    })
  })

  it('has the same form whether it came alone or among many', async () => {
    const app = await newApp(key)
    const one = event({ payload: { n: 1.5, s: 'ä\n"\\', list: [null, true], o: {} }, userId: 'u' })
    await ingest(house, app.apiKey, one)
    await ingest(house, app.apiKey, Array(50).fill(one))
    const all = (await stored(house, key, app.id)).map(({ id: _id, ...rest }) => rest)
    expect(all).toHaveLength(51)
    expect(new Set(all.map((found) => JSON.stringify(found))).size).toBe(1)
  })
})
