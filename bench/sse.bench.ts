import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import startPostgres, { type TestPostgres } from '../apps/server/testing/postgres.global.ts'
import {
  ask,
  buildServerProgram,
  databaseUrl,
  newApp,
  startServer,
} from '../apps/server/testing/server-process.ts'
import { compare, median } from './compare.ts'
import { defineBench, type BenchResult } from './define.ts'
import { StreamClients } from './events/stream-clients.ts'

const run = promisify(execFile)
const DELIVERY_MAX_MS = 1_000
const PATIENCE_MS = 15_000

/** One event to thousands of open streams, against a bare loop of writes to as many sockets. */
export default defineBench({
  name: 'sse',
  summary: 'one event to 5,000 open streams: the last one has it, against a bare write loop',
  async run({ quick, log }) {
    const count = quick ? 500 : 5_000
    const rounds = quick ? 3 : 15
    const dataDir = await mkdtemp(join(tmpdir(), 'merlon-sse-bench-'))
    let postgres: TestPostgres | undefined
    const stopPostgres = await startPostgres({ provide: (_key, value) => void (postgres = value) })
    if (postgres === undefined) throw new Error('There is no PostgreSQL to measure with.')
    const program = await buildServerProgram()
    const server = await startServer(program, {
      DATABASE_URL: databaseUrl(postgres),
      MERLON_DATA_DIR: dataDir,
    })
    const bare = fork(join(import.meta.dirname, 'events/bare-writer.mjs'))
    const streams = new StreamClients()
    const sockets = new StreamClients()
    try {
      const app = await newApp(server.url, 'Streamed')
      const ownBytes = await growth(server.pid, count, () =>
        streams.open({
          port: Number(new URL(server.url).port),
          count,
          request: () => streamRequest(server.url, app.id),
        }),
      )
      const bareBytes = await openBare(bare, sockets, count)
      const memory: BenchResult = {
        what: 'memory of a connection',
        unit: 'KiB',
        ratio: ownBytes / bareBytes,
        own: ownBytes,
        peer: bareBytes,
        rounds: 1,
      }

      let sent = 0
      const every: number[] = []
      /** All of them or none: a stream that never had the event fails the bench. */
      const last = (times: readonly number[]): number => {
        if (times.length !== count) throw new Error(`${times.length} of ${count} had the event.`)
        return times.at(-1) ?? Number.NaN
      }
      const own = async (): Promise<number> => {
        const title = `Event number ${++sent}.`
        const times = await streams.timesOf(
          title,
          () => ingest(server.url, app.apiKey, title),
          PATIENCE_MS,
        )
        every.push(last(times))
        return last(times)
      }
      const peer = async (): Promise<number> => {
        const text = `Event number ${++sent}.`
        return last(await sockets.timesOf(text, () => bare.send(frameLike(text)), PATIENCE_MS))
      }
      const loop = await compare({ own, peer, rounds })
      const slowest = Math.max(...every)
      log(
        `${every.length} events, each on ${count} streams; medians ${Math.round(median(every))} ms, slowest ${Math.round(slowest)} ms`,
      )
      return [
        {
          what: 'slowest stream of all rounds',
          unit: 'ms',
          ratio: slowest / DELIVERY_MAX_MS,
          own: slowest,
          peer: DELIVERY_MAX_MS,
          rounds,
        },
        { what: 'last stream against a bare loop', unit: 'ms', ...loop },
        memory,
      ]
    } finally {
      streams.close()
      sockets.close()
      bare.disconnect()
      await server.stop()
      await program.remove()
      await stopPostgres()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
})

async function openBare(
  bare: ChildProcess,
  sockets: StreamClients,
  count: number,
): Promise<number> {
  const [port] = (await once(bare, 'message')) as [number]
  return growth(bare.pid ?? -1, count, () => sockets.open({ port, count }))
}

/** KiB by which a process grew for each of `count`. */
async function growth(pid: number, count: number, work: () => Promise<void>): Promise<number> {
  const before = await residentKib(pid)
  await work()
  return Math.max(0.1, ((await residentKib(pid)) - before) / count)
}

async function residentKib(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout)
}

async function streamRequest(url: string, appId: string): Promise<string> {
  const { data } = await ask<{ token: string }>(url, '/api/events/stream-token', {
    method: 'POST',
    body: { appId },
  })
  const query = new URLSearchParams({ appId, token: data.token })
  return `GET /api/events/stream?${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

async function ingest(url: string, appKey: string, title: string): Promise<void> {
  const body = { type: 'request.blocked', module: 'shield', severity: 'HIGH', title }
  const { status } = await ask(url, '/api/events/ingest', { method: 'POST', appKey, body })
  if (status !== 201) throw new Error(`The event was answered with ${status}.`)
}

/** As long as the frame of the same event. */
function frameLike(title: string): string {
  const event = {
    id: `evt_${'0'.repeat(26)}`,
    appId: `app_${'0'.repeat(26)}`,
    type: 'request.blocked',
    module: 'shield',
    severity: 'HIGH',
    title,
    description: null,
    ip: null,
    userId: null,
    country: null,
    city: null,
    asn: null,
    payload: null,
    timestamp: new Date(0).toISOString(),
    receivedAt: new Date(0).toISOString(),
  }
  return `event: events\nid: 1.${event.id}\ndata: ${JSON.stringify([event])}\n\n`
}
