import type { Parts, Scene } from './scene.ts'

/**
 * One row for each endpoint, under its name in the contract: a request that succeeds when the
 * caller may make it. The credential is added by the matrix.
 */
export const rows: Readonly<Record<string, (scene: Scene) => Parts | Promise<Parts>>> = {
  'accounts.createAccount': ({ owner }) => ({
    body: { name: 'Another', email: `new-${owner.email}` },
  }),
  'accounts.listAccounts': () => ({}),
  'accounts.updateAccount': ({ owner }) => ({
    params: { id: owner.id },
    body: { name: 'Renamed' },
  }),
  'apps.createApp': () => ({ body: { name: 'Shop' } }),
  'apps.deleteApp': byApp,
  'apps.getApp': byApp,
  'apps.listApps': () => ({}),
  'apps.rotateAppKey': byApp,
  'apps.setAppPlan': (scene) => ({ ...byApp(scene), body: { plan: 'team' } }),
  'apps.updateApp': (scene) => ({ ...byApp(scene), body: { name: 'Renamed' } }),
  'apps.updateAppSettings': (scene) => ({ ...byApp(scene), body: { shield: { mode: 'strict' } } }),
  'audit.listAudit': () => ({}),
  'audit.verifyAudit': () => ({}),
  'auth.login': async ({ owner, password }) => ({
    body: { email: owner.email, password: await password() },
  }),
  'auth.logout': () => ({}),
  'auth.me': () => ({}),
  'auth.redeemSignInLink': ({ signInToken }) => ({ body: { token: signInToken() } }),
  'auth.setPassword': () => ({ body: { newPassword: 'a long enough password' } }),
  'baselines.baseline': byApp,
  'events.analytics': queryApp,
  'events.createStreamToken': ({ app }) => ({ body: { appId: app.id } }),
  'events.eraseUser': ({ app }) => ({ body: { appId: app.id, userId: 'u1' } }),
  'events.exportUser': ({ app }) => ({ query: { appId: app.id, userId: 'u1' } }),
  'events.ingestEvents': () => ({
    body: { type: 'auth.login', module: 'monitor', severity: 'INFO', title: 'Signed in' },
  }),
  'events.searchEvents': queryApp,
  'events.streamEvents': queryApp,
  'keys.createKey': () => ({ body: { name: 'Deploy' } }),
  'keys.deleteKey': async ({ newKey }) => ({ params: { id: (await newKey()).id } }),
  'keys.listKeys': () => ({}),
  'users.createSignInLink': ({ owner }) => ({ params: { id: owner.userId } }),
  'users.createUser': ({ owner }) => ({ body: { email: `new-${owner.email}` } }),
  'users.deleteUser': async ({ newUser }) => ({ params: { id: (await newUser()).id } }),
  'users.listUsers': () => ({}),
  'webhooks.createWebhook': ({ app }) => ({
    body: { appId: app.id, url: 'https://receiver.example/hook' },
  }),
  'webhooks.deleteWebhook': byWebhook,
  'webhooks.listDeliveries': byWebhook,
  'webhooks.listWebhooks': queryApp,
  'webhooks.replayDelivery': async (scene) => {
    const id = await scene.newWebhook()
    const { id: deliveryId } = await scene.asOwner<{ id: string }>(
      'POST',
      `/api/webhooks/${id}/test`,
    )
    return { params: { id, deliveryId } }
  },
  'webhooks.testWebhook': byWebhook,
  'webhooks.updateWebhook': async (scene) => ({
    ...(await byWebhook(scene)),
    body: { description: 'Alarms' },
  }),
}

async function byWebhook({ newWebhook }: Scene): Promise<Parts> {
  return { params: { id: await newWebhook() } }
}

function byApp({ app }: Scene): Parts {
  return { params: { id: app.id } }
}

function queryApp({ app }: Scene): Parts {
  return { query: { appId: app.id } }
}
