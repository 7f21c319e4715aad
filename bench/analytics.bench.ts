import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded/index.ts'
import type { TestPostgres } from '../apps/server/testing/postgres.global.ts'
import {
  buildServerProgram,
  databaseUrl,
  newApp,
  operatorKey,
  startServer,
  type ServerProgram,
} from '../apps/server/testing/server-process.ts'
import { compare, median } from './compare.ts'
import { defineBench, type BenchContext, type BenchResult } from './define.ts'
import { proveRollups } from './events/check-rollups.ts'
import { generateEvents, planted } from './events/generate-events.ts'

const APPS = 20
const DAY_MS = 86_400_000
const ANALYTICS_MAX_MS = 25
const SEARCH_MAX_MS = 30
/** Durability is not what is measured, and without it ten million rows are there in minutes. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
}

/** A server on a database of its own, filled with events. */
interface Filled {
  readonly url: string
  readonly appId: string
  stop(): Promise<void>
}

export default defineBench({
  name: 'analytics',
  summary: 'analytics and search over 10 million events, p95 in ms against the bar in ms',
  async run(context) {
    const { quick, log } = context
    const dataDir = await mkdtemp(join(tmpdir(), 'merlon-analytics-bench-'))
    const program = await buildServerProgram()
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: () => undefined,
      settings: SETTINGS,
    })
    const filled: Filled[] = []
    const fill = async (name: string, count: number): Promise<Filled> => {
      const one = await fillDatabase(program, postgres.connection, { name, count, log })
      filled.push(one)
      return one
    }
    try {
      const small = await fill('small', quick ? 100_000 : 1_000_000)
      const large = await fill('large', quick ? 1_000_000 : 10_000_000)
      return await measure(small, large, context)
    } finally {
      for (const one of filled) await one.stop()
      await postgres.stop()
      await program.remove()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
})

async function fillDatabase(
  program: ServerProgram,
  postgres: TestPostgres,
  { name, count, log }: { name: string; count: number; log: (line: string) => void },
): Promise<Filled> {
  const admin = new pg.Client({ ...postgres })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const connection = { ...postgres, database: name }
  const dataDir = await mkdtemp(join(tmpdir(), 'merlon-analytics-bench-'))
  const server = await startServer(program, {
    DATABASE_URL: databaseUrl(connection),
    MERLON_DATA_DIR: dataDir,
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const pool = new pg.Pool({ ...connection, max: 4 })
  try {
    const appIds: string[] = []
    for (let at = 0; at < APPS; at++) appIds.push((await newApp(server.url, `App ${at}`)).id)
    const started = performance.now()
    await generateEvents(pool, { count, appIds, now: Date.now() })
    await pool.query('vacuum (analyze) rollup_hour, rollup_day')
    const seconds = Math.round((performance.now() - started) / 1_000)
    const { rows } = await pool.query<{ gb: number }>(
      'select round(pg_database_size(current_database()) / 1e9, 2)::float as gb',
    )
    const [first = '', sample = ''] = appIds
    const proved = await proveRollups(pool, sample)
    log(
      `${name}: ${count} events in ${seconds} s, ${rows[0]?.gb} GB; ${proved} recounted by folding`,
    )
    return { url: server.url, appId: first, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    await pool.end()
  }
}

async function measure(
  small: Filled,
  large: Filled,
  { quick, log }: BenchContext,
): Promise<readonly BenchResult[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const requests = quick ? 20 : 100
  const rounds = quick ? 3 : 5
  const times = async (where: Filled, path: string): Promise<readonly number[]> => {
    const figures: number[] = []
    for (let at = 0; at < requests; at++) figures.push(await timed(agent, `${where.url}${path}`))
    return figures.toSorted((a, b) => a - b)
  }
  const analytics = (where: Filled, window: string) =>
    times(where, `/api/events/analytics?appId=${where.appId}&window=${window}`)
  /** The bar is a time, so it stands where otherwise the peer does. */
  const against = async (
    what: string,
    barMs: number,
    run: () => Promise<readonly number[]>,
  ): Promise<BenchResult> => {
    await run()
    const figures: number[] = []
    for (let round = 0; round < rounds; round++) figures.push(quantile(await run(), 0.95))
    const own = median(figures)
    return { what, unit: 'ms', ratio: own / barMs, own, peer: barMs, rounds }
  }
  /** Tells a slow machine from a slow query: what a call costs that reads one row. */
  const tellOfOneRow = async (): Promise<void> => {
    const sorted = await times(large, `/api/apps/${large.appId}`)
    const [half, most] = [0.5, 0.95].map((share) => quantile(sorted, share).toFixed(1))
    log(`a call that reads one row: p50 ${half} ms, p95 ${most} ms`)
  }
  try {
    const results: BenchResult[] = []
    await tellOfOneRow()
    for (const window of ['30d', '7d', '24h']) {
      results.push(
        await against(`analytics ${window} p95`, ANALYTICS_MAX_MS, () => analytics(large, window)),
      )
    }
    const growth = await compare({
      own: async () => median(await analytics(large, '30d')),
      peer: async () => median(await analytics(small, '30d')),
      rounds,
    })
    results.push({ what: 'ten times the events', unit: 'ms', ...growth })
    for (const [what, query] of searches(Date.now())) {
      const path = `/api/events?appId=${large.appId}&${query}`
      results.push(await against(`search ${what} p95`, SEARCH_MAX_MS, () => times(large, path)))
    }
    await tellOfOneRow()
    return results
  } finally {
    agent.destroy()
  }
}

/** Every filter on its own, with a value that is everywhere, one that is rare and one that is nowhere. */
function searches(now: number): readonly (readonly [what: string, query: string])[] {
  const filters = ['type', 'module', 'severity', 'ip', 'userId'] as const
  const at = (daysAgo: number): string => new Date(now - daysAgo * DAY_MS).toISOString()
  return [
    ['of nothing', ''],
    ...filters.map((name) => [`${name}, common`, `${name}=${planted.common[name]}`] as const),
    ...filters.map((name) => [`${name}, rare`, `${name}=${planted.rare[name]}`] as const),
    ...filters
      .filter((name) => name !== 'severity')
      .map((name) => [`${name}, absent`, `${name}=nowhere`] as const),
    ['from, a month', `from=${at(29)}`],
    ['from, a minute', `from=${at(1 / 1440)}`],
    ['to, now', `to=${at(0)}`],
    ['to, a month ago', `to=${at(29)}`],
    ['q, common', `q=${planted.commonWord}`],
    ['q, rare', `q=${planted.rareWord}`],
  ]
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function timed(agent: Agent, url: string): Promise<number> {
  const headers = { authorization: `Bearer ${operatorKey}` }
  const started = performance.now()
  const status = await new Promise<number | undefined>((settle, fail) => {
    get(url, { agent, headers }, (response) => {
      response
        .on('end', () => settle(response.statusCode))
        .on('error', fail)
        .resume()
    }).on('error', fail)
  })
  if (status !== 200) throw new Error(`${url} answered ${status}.`)
  return performance.now() - started
}
