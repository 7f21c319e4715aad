import { plans } from '@merlon/base'
import type { Endpoint } from '@merlon/contract'
import type { Condition } from './cells.ts'
import { credentialWith, goodCredential, type Credential } from './credentials.ts'
import { rows } from './rows.ts'
import { openScene, type Harness, type Parts, type Scene } from './scene.ts'

/** Asks the real server what one cell says, and answers the status. */
export async function askCell(
  house: Harness,
  name: string,
  endpoint: Endpoint,
  condition: Condition | 'nothing wrong',
): Promise<{ readonly status: number; readonly error: string }> {
  const scene = await openScene(house)
  await setPlan(scene, endpoint, condition === 'lower plan')
  const parts = (await rows[name]?.(scene)) ?? {}
  const credential =
    condition === 'nothing wrong'
      ? await goodCredential(endpoint.auth, scene, parts)
      : await credentialWith(condition, endpoint, scene, parts)
  return ask(house, endpoint, parts, credential)
}

/** The lowest plan that will do, or the highest that will not. */
async function setPlan({ house, app }: Scene, { plan }: Endpoint, lower: boolean): Promise<void> {
  if (plan === undefined) return
  const given = plans[plans.indexOf(plan) - (lower ? 1 : 0)]
  await house.call('PUT', `/api/apps/${app.id}/plan`, {
    as: house.operatorKey,
    body: { plan: given },
  })
}

export async function ask(
  house: Harness,
  endpoint: Endpoint,
  { params = {}, query = {}, body, headers = {} }: Parts,
  credential: Credential,
): Promise<{ readonly status: number; readonly error: string }> {
  const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, (_all, name: string) => params[name] ?? '')
  const search = new URLSearchParams({ ...query, ...credential.query }).toString()
  const raw = await house.server().inject({
    method: endpoint.method,
    url: search === '' ? path : `${path}?${search}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...credential.headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    // A stream that was let in never ends: its first bytes tell enough.
    payloadAsStream: true,
  })
  const stream = raw.stream()
  if (String(raw.headers['content-type']).includes('event-stream')) {
    stream.destroy()
    return { status: raw.statusCode, error: '' }
  }
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  const text = Buffer.concat(chunks).toString('utf8')
  const { error = '' } = (text === '' ? {} : JSON.parse(text)) as { error?: string }
  return { status: raw.statusCode, error }
}
