import autocannon from 'autocannon'
import { readEmbeddedConnection } from '../apps/server/src/db/embedded/index.ts'
import { compare } from './compare.ts'
import { defineBench } from './define.ts'
import { startMerlon, startScript, type RunningMerlon } from './peers/process.ts'

const CONNECTIONS = 16

/** What credential, limit, ownership, decryption, envelope and log line cost beside the query itself. */
export default defineBench({
  name: 'get-app',
  summary: 'GET /api/apps/:id with a warm key against a bare Fastify route with the same query',
  async run({ quick }) {
    const seconds = quick ? 1 : 3
    const merlon = await startMerlon()
    const connection = await readEmbeddedConnection(merlon.dataDir)
    const bare = await startScript('bench/peers/app-row-server.mjs', {
      PEER_DATABASE: JSON.stringify(connection),
    })
    try {
      const id = await createApp(merlon)
      const result = await compare({
        own: () => requestsPerSecond(`${merlon.url}/api/apps/${id}`, merlon.key, seconds),
        peer: () => requestsPerSecond(`${bare.url}/apps/${id}`, merlon.key, seconds),
        rounds: quick ? 2 : 7,
      })
      return [{ what: 'GET /api/apps/:id', unit: 'requests/s', ...result }]
    } finally {
      await bare.stop()
      await merlon.stop()
    }
  },
})

async function createApp({ url, key }: RunningMerlon): Promise<string> {
  const reply = await fetch(`${url}/api/apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench' }),
  })
  const { data } = (await reply.json()) as { data: { id: string } }
  return data.id
}

async function requestsPerSecond(url: string, key: string, seconds: number): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    // Both sides read the same head.
    headers: { authorization: `Bearer ${key}` },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no 200 and ${result.errors} failed.`)
  return result['2xx'] / result.duration
}
