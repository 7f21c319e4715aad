import type { Webhook, WebhookDelivery } from '@merlon/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSignedWith, startReceiver, type Receiver } from '../../apps/server/testing/receiver.ts'
import { cliScene } from './scene.ts'

const scene = cliScene()
const { merlon, merlonJson, app } = scene
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(async () => receiver.close())

type Created = Webhook & { readonly secret: string }
const create = async (args: readonly string[] = [], stdin = '') =>
  merlonJson<Created>(['webhooks', 'create', receiver.url, '--app', app().id, ...args], { stdin })

interface Deliveries {
  readonly deliveries: readonly WebhookDelivery[]
}

describe('merlon webhooks', () => {
  it('creates one for the types that are named', async () => {
    const webhook = await create(['--event', 'auth.*', '--event', 'x', '--description', 'Chat'])
    expect(webhook).toMatchObject({ events: ['auth.*', 'x'], description: 'Chat', enabled: true })
  })

  it('shows the secret when it is made', async () => {
    const run = await merlon(['webhooks', 'create', receiver.url, '--app', app().id])
    expect(run.out).toMatch(/\nSecret +\S+\n$/)
  })

  it('takes a secret from stdin', async () => {
    const secret = 'a secret of my own choosing'
    expect(await create(['--secret-stdin'], `${secret}\n`)).toMatchObject({ secret })
  })

  it('lists them', async () => {
    const { id } = await create()
    const { out } = await merlon(['webhooks', 'list', '--app', app().id])
    expect(out.split('\n').find((line) => line.startsWith(id))).toContain(receiver.url)
  })

  it('switches one off and on', async () => {
    const { id } = await create()
    const off = await merlonJson<Webhook>(['webhooks', 'update', id, '--disable'])
    const on = await merlonJson<Webhook>(['webhooks', 'update', id, '--enable'])
    expect([off.enabled, on.enabled]).toEqual([false, true])
  })

  it('changes the types and takes the description away', async () => {
    const { id } = await create(['--description', 'Chat'])
    const change = ['--event', 'shield.*', '--clear-description']
    expect(await merlonJson(['webhooks', 'update', id, ...change])).toMatchObject({
      events: ['shield.*'],
      description: null,
    })
  })

  it('deletes one with --yes', async () => {
    const { id } = await create()
    await merlon(['webhooks', 'delete', id, '--yes'])
    expect(await merlonJson(['webhooks', 'list', '--app', app().id])).toEqual([])
  })

  it('deletes none in a script without --yes', async () => {
    const { id } = await create()
    expect((await merlon(['webhooks', 'delete', id])).code).toBe(2)
  })

  it('sends a test that the receiver can check', async () => {
    const { id, secret } = await create()
    receiver.calls.length = 0
    await merlonJson(['webhooks', 'test', id])
    await scene.webhooksSettled()
    expect(receiver.calls.map((call) => isSignedWith(secret, call))).toEqual([true])
  })

  it('tells what was delivered', async () => {
    const { id } = await create()
    await merlonJson(['webhooks', 'test', id])
    await scene.webhooksSettled()
    const list = await merlonJson<Deliveries>(['webhooks', 'deliveries', id])
    expect(list.deliveries).toMatchObject([{ status: 'delivered', responseStatus: 200 }])
  })

  it('shows only deliveries of the status that was asked for', async () => {
    const { id } = await create()
    await merlonJson(['webhooks', 'test', id])
    await scene.webhooksSettled()
    expect((await merlon(['webhooks', 'deliveries', id, '--status', 'failed'])).out).toBe(
      'No delivery.\n',
    )
  })

  it('sends a delivery again', async () => {
    const { id } = await create()
    const { id: delivery } = await merlonJson<WebhookDelivery>(['webhooks', 'test', id])
    await scene.webhooksSettled()
    expect(await merlonJson(['webhooks', 'replay', id, delivery])).toMatchObject({
      replayOf: delivery,
    })
  })
})
