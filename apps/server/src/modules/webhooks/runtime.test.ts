import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { createKeyring } from '../../secrets/keyring.ts'
import { webhookScene } from '../../../testing/webhook-scene.ts'
import { startWebhooks, type WebhooksDeps } from './runtime.ts'

/** The scene's own server sends nothing, so that each test starts the nodes that it wants. */
describe('a node that sends webhooks', () => {
  const scene = webhookScene({ MERLON_ROLE: 'api' })
  const { newWebhook, receiver, ingest, deliveries, clock, call, key } = scene
  const start = (deps: Partial<WebhooksDeps> = {}) => {
    const { services } = scene.app()
    const { keyring, events } = services
    const log = createLog('silent')
    const own = { db: scene.db(), pool: events.pool, clock, log, keyring }
    return startWebhooks({ ...own, allowPrivate: true, works: true, ...deps })
  }

  it('sends by itself within a second or so, without being told', async () => {
    const node = await start()
    try {
      await newWebhook()
      await ingest('auth.login')
      await expect.poll(() => receiver().calls.length, { timeout: 5_000 }).toBe(1)
    } finally {
      await node.close()
    }
  })

  it('refuses a name that leads to a private address, and says so in the log', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const node = await start({ allowPrivate: false, resolve })
    try {
      const url = `http://innocent.test:${new URL(receiver().url).port}/hook`
      const { id } = await newWebhook({ url })
      await call('POST', `/api/webhooks/${id}/test`, { as: key() })
      await node.settle()
      expect(receiver().calls).toEqual([])
      expect(await deliveries(id)).toMatchObject([
        {
          status: 'pending',
          responseStatus: null,
          error:
            '127.0.0.1, an address of innocent.test, is loopback; only public addresses are called.',
        },
      ])
    } finally {
      await node.close()
    }
  })

  it('goes on with a delivery that another node was sending when it stopped', async () => {
    const { id } = await newWebhook()
    await ingest('auth.login')
    receiver().answerNever()
    const first = await start()
    await expect.poll(() => receiver().calls.length, { timeout: 5_000 }).toBe(1)
    await first.close()
    expect(await deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0 }])
    receiver().answer(200)
    const second = await start()
    try {
      await second.settle()
      expect(receiver().calls.map(({ body }) => body.id)).toEqual(
        Array(2).fill((await deliveries(id))[0]?.id),
      )
      expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    } finally {
      await second.close()
    }
  })

  it('starts anew in a database whose transaction numbers began anew', async () => {
    const { id } = await newWebhook()
    await sql`update webhooks set position_xid = '9000000000000' where id = ${id}`.execute(
      scene.db(),
    )
    const node = await start()
    try {
      await ingest('auth.login')
      await node.settle()
      expect(receiver().calls).toHaveLength(1)
    } finally {
      await node.close()
    }
  })

  it('keeps the secret sealed: without the key of the instance nothing is sent in its name', async () => {
    await newWebhook({ secret: 'a secret of the receiver' })
    const { rows } = await sql<{ plain: boolean }>`
      select bool_or(position('a secret of the receiver'::bytea in secret_sealed) > 0) as plain
      from webhooks`.execute(scene.db())
    expect(rows[0]?.plain).toBe(false)
    const node = await start({ keyring: createKeyring('another secret of thirty-two characters!') })
    try {
      await ingest('auth.login')
      await node.settle()
      expect(receiver().calls).toEqual([])
    } finally {
      await node.close()
    }
  })
})
