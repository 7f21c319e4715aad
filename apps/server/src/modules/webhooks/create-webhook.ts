import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { notFound, problem, required } from '../../http/problem.ts'
import { randomToken } from '../../secrets/keyring.ts'
import { requireCallable } from './check-url.ts'
import { countForInsert, insertWebhook } from './webhooks.repo.ts'

const WEBHOOKS_MAX = 20

/** It hears of what is stored from now on. */
export const createWebhook = implement(
  endpoints.webhooks.createWebhook,
  async ({ app, body, db, keyring, clock, config, audit }) => {
    requireCallable(body.url, config)
    const known = required(await countForInsert(db, app.id), notFound('App', app.id))
    if (known >= WEBHOOKS_MAX) {
      throw problem('conflict', `An app has at most ${WEBHOOKS_MAX} webhooks; remove one first.`)
    }
    const secret = body.secret ?? `whsec_${randomToken()}`
    const webhook = await insertWebhook(
      db,
      keyring,
      {
        appId: app.id,
        url: body.url,
        events: body.events ?? ['*'],
        secret,
        description: body.description ?? null,
      },
      clock.now(),
    )
    audit({ target: webhook.id, after: webhook })
    return { ...webhook, secret }
  },
)
