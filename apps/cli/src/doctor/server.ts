import { ApiError, createClient } from '@merlon/client'
import type { Host } from '../host.ts'
import type { Settings } from '../settings.ts'
import { check, type Check } from './check.ts'

const TIMEOUT_MS = 5000
/** The Date header counts whole seconds, and tokens live for minutes: this is the gap that hurts. */
const SKEW_MAX_MS = 30_000

/** Reachable, ready, key, clock: each is asked only when the one before makes it worth asking. */
export async function checkServer(host: Host, settings: Settings): Promise<readonly Check[]> {
  const sentMs = host.nowMs()
  const alive = await probe(host, `${settings.url}/healthz`)
  const tookMs = host.nowMs() - sentMs
  if (typeof alive === 'string') {
    return [
      check('server', 'fail', `${settings.url} does not answer: ${alive}`),
      check('ready', 'skip', 'no server'),
      check('API key', 'skip', 'no server'),
      check('clock', 'skip', 'no server'),
    ]
  }
  if (alive.status !== 200) {
    return [check('server', 'fail', `${settings.url}/healthz answered ${alive.status}`)]
  }
  return [
    check('server', 'ok', `${settings.url} answers in ${tookMs} ms`),
    await checkReady(host, settings),
    await checkKey(host, settings),
    checkClock(alive.date, sentMs + tookMs / 2),
  ]
}

async function checkReady(host: Host, { url }: Settings): Promise<Check> {
  const ready = await probe(host, `${url}/readyz`)
  if (typeof ready === 'string') return check('ready', 'fail', ready)
  return ready.status === 200
    ? check('ready', 'ok', 'database, migrations and queue')
    : check('ready', 'fail', ready.error ?? `/readyz answered ${ready.status}`)
}

async function checkKey(host: Host, settings: Settings): Promise<Check> {
  const { url, apiKey, keyIsForAnotherServer } = settings
  if (keyIsForAnotherServer !== undefined) {
    return check('API key', 'fail', `the stored key is for ${keyIsForAnotherServer}; log in here`)
  }
  if (apiKey === undefined) return check('API key', 'fail', 'none; run `merlon login`')
  try {
    const { account } = await createClient({
      baseUrl: url,
      apiKey,
      fetch: host.fetch,
      timeoutMs: TIMEOUT_MS,
    }).auth.me()
    return check('API key', 'ok', `${account.name} (${account.role})`)
  } catch (error) {
    if (error instanceof ApiError) return check('API key', 'fail', error.message)
    throw error
  }
}

export function checkClock(dateHeader: string | null, nowMs: number): Check {
  const serverMs = Date.parse(dateHeader ?? '')
  if (Number.isNaN(serverMs)) return check('clock', 'skip', 'the server sends no time')
  // The header was cut to a whole second, so on average half a second is missing from it.
  const skewMs = nowMs - (serverMs + 500)
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return Math.abs(skewMs) <= SKEW_MAX_MS
    ? check('clock', 'ok', `within ${Math.max(1, seconds)} s of the server`)
    : check(
        'clock',
        'warn',
        `this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the server`,
      )
}

interface Probed {
  readonly status: number
  readonly date: string | null
  readonly error: string | undefined
}

/** What came back, or the reason why nothing did. */
async function probe(host: Host, url: string): Promise<Probed | string> {
  try {
    const response = await host.fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body: unknown = await response.json().catch(() => undefined)
    const { error } = (body ?? {}) as { error?: unknown }
    return {
      status: response.status,
      date: response.headers.get('date'),
      error: typeof error === 'string' ? error : undefined,
    }
  } catch (error) {
    if (!(error instanceof Error)) return 'unknown reason'
    return error.cause instanceof Error ? error.cause.message : error.message
  }
}
