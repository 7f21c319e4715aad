import type { ApiKey, App } from '@merlon/contract'
import { createHmac } from 'node:crypto'
import type { harness } from '../harness.ts'

export type Harness = ReturnType<typeof harness>
export const WEBHOOK_SECRET = 'the webhook secret of the matrix'

/** The parts of a request that an endpoint wants beside its credential. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An account with one app, made for one cell, so that no cell can disturb another. */
export async function openScene(house: Harness) {
  const owner = await house.newAccount()
  const app = await house.newApp(owner.key)
  const asOwner = async <Data>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<Data> => {
    const reply = await house.call<Data>(method, url, { as: owner.key, body })
    if (!reply.ok) throw new Error(`${method} ${url} answered ${reply.status}: ${reply.error}`)
    return reply.data
  }
  return {
    house,
    owner,
    app: app as App,
    asOwner,
    newKey: () => asOwner<ApiKey & { key: string }>('POST', '/api/keys', { name: 'A second key' }),
    newUser: () =>
      asOwner<{ id: string }>('POST', '/api/users', { email: `second-${owner.email}` }),
    /** Switched off, so that no call leaves the machine. */
    newWebhook: async (): Promise<string> => {
      const url = 'https://receiver.example/hook'
      const { id } = await asOwner<{ id: string }>('POST', '/api/webhooks', { appId: app.id, url })
      await asOwner('PATCH', `/api/webhooks/${id}`, { enabled: false })
      return id
    },
    /** Gives the owner a password, and answers it. */
    password: async (): Promise<string> => {
      const { headers } = await house.signIn(owner.signInUrl)
      const newPassword = 'a long enough password'
      await house.call('POST', '/api/auth/password', { headers, body: { newPassword } })
      return newPassword
    },
    signInToken: () => owner.signInUrl.split('#token=')[1] ?? '',
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

export function signatureOf(body: unknown, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')}`
}
