import autocannon from 'autocannon'
import pg from 'pg'
import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { createOrderedIds } from '@merlon/base'
import { EventInputSchema } from '@merlon/contract'
import { readEmbeddedConnection } from '../apps/server/src/db/embedded/index.ts'
import { copyText } from '../apps/server/src/modules/events/copy-text.ts'
import { eventColumns, type StoredEvent } from '../apps/server/src/modules/events/stored-event.ts'
import { compare } from './compare.ts'
import { defineBench } from './define.ts'
import { startMerlon, startScript, type RunningMerlon } from './peers/process.ts'

const BATCH = 100
const COPY_ROWS = 1_000
const nextId = createOrderedIds('event')

/** Events over HTTP, acknowledged after commit, against what the database and the server could do at most. */
export default defineBench({
  name: 'ingest',
  summary: 'durable ingest over HTTP against raw COPY, and single events against a bare echo route',
  async run({ quick }) {
    const seconds = quick ? 2 : 5
    const rounds = quick ? 2 : 5
    const merlon = await startMerlon()
    const echo = await startScript('bench/peers/echo-server.mjs', {
      ECHO_SCHEMA: JSON.stringify(EventInputSchema),
    })
    const connection = await readEmbeddedConnection(merlon.dataDir)
    const client = new pg.Client(connection)
    await client.connect()
    try {
      const appKey = await createApp(merlon)
      const batches = await compare({
        own: async () =>
          BATCH * (await post(`${merlon.url}/api/events/ingest`, appKey, BATCH, 16, seconds)),
        peer: () => rawCopy(client, seconds),
        rounds,
      })
      const singles = await compare({
        own: () => post(`${merlon.url}/api/events/ingest`, appKey, 1, 64, seconds),
        peer: () => post(`${echo.url}/echo`, appKey, 1, 64, seconds),
        rounds,
      })
      return [
        { what: 'batches of 100 against raw COPY', unit: 'events/s', ...batches },
        { what: 'single events against bare echo', unit: 'requests/s', ...singles },
      ]
    } finally {
      await client.end()
      await Promise.all([merlon.stop(), echo.stop()])
    }
  },
})

async function createApp({ url, key }: RunningMerlon): Promise<string> {
  const reply = await fetch(`${url}/api/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench' }),
  })
  const { data } = (await reply.json()) as { data: { apiKey: string } }
  return data.apiKey
}

/** Requests a second that were answered 201; anything else makes the figure worthless. */
async function post(
  url: string,
  appKey: string,
  events: number,
  connections: number,
  seconds: number,
): Promise<number> {
  const list = Array.from({ length: events }, (_, i) => input(i))
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': appKey },
    body: JSON.stringify(events === 1 ? list[0] : list),
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 201 and ${result.errors} failed.`)
  }
  return result['2xx'] / result.duration
}

async function rawCopy(client: pg.Client, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  const started = performance.now()
  let rows = 0
  while (performance.now() < until) {
    const copy = client.query(copyFrom(`copy events (${eventColumns.join(', ')}) from stdin`))
    copy.end(copyText(Array.from({ length: COPY_ROWS }, (_, i) => stored(i))))
    await finished(copy)
    rows += COPY_ROWS
  }
  return (rows / (performance.now() - started)) * 1_000
}

const types = [
  'request.blocked',
  'auth.failed_check',
  'request.detected',
  'rate.limited',
  'bot.detected',
]
const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const

/** About 400 bytes of JSON, as an SDK sends them. */
function input(i: number) {
  return {
    type: types[i % types.length] ?? 'request.blocked',
    module: i % 3 === 0 ? 'monitor' : 'shield',
    severity: severities[i % severities.length] ?? 'INFO',
    title: `Request stopped by rule ${i % 17}`,
    description: 'A value in the query changes the meaning of a database statement.',
    ip: `81.2.${i % 200}.${(i * 7) % 250}`,
    userId: `user-${i % 1_000}`,
    payload: {
      path: `/api/orders/${i}`,
      method: 'POST',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
      attackType: 'sql_injection',
    },
  }
}

function stored(i: number): StoredEvent {
  const { payload, ...event } = input(i)
  const now = Date.now()
  return {
    ...event,
    appId: 'app_00000000000000000000000000',
    id: nextId(now),
    at: now,
    receivedAt: now,
    country: 'GB',
    city: null,
    asn: 20_712,
    payloadText: JSON.stringify(payload),
    attackType: null,
    clientId: null,
    inbox: null,
    kept: true,
  }
}
