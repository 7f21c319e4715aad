import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createCuttableProxy,
  type CuttableProxy,
} from '../../apps/server/testing/cuttable-proxy.ts'
import {
  ask,
  buildServerProgram,
  databaseUrl,
  newApp,
  startServer,
  type ServerProcess,
  type ServerProgram,
} from '../../apps/server/testing/server-process.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/testing/test-database.ts'
import { numberedEvent, pause } from './numbered-events.ts'
import { storedNumbers } from './recount.ts'

const run = promisify(execFile)
const EVERY_MS = 20
const BATCH = 50
/** A queued event waits for two seconds before new ones are refused; this is well beyond it. */
const TROUBLE_MS = 6_000
const RECOVERY_MAX_MS = 5_000
const GROWTH_MAX_KIB = 64 * 1024

interface Sent {
  readonly at: number
  readonly numbers: readonly number[]
  /** 0 until there is an answer, and for good when there was none. */
  status: number
  answeredAt: number
  retryAfter: string | null
}

let dataDir: string
let program: ServerProgram
let database: TestDatabase
let proxy: CuttableProxy
let server: ServerProcess
let app: { id: string; apiKey: string }
let last = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'merlon-pressure-'))
  program = await buildServerProgram()
  database = await createTestDatabase()
  proxy = await createCuttableProxy(database.connection)
  server = await startServer(program, {
    DATABASE_URL: databaseUrl(proxy.connection),
    MERLON_DATA_DIR: dataDir,
    MERLON_LOG_LEVEL: 'fatal',
  })
  app = await newApp(server.url, 'Pressed')
}, 120_000)

afterAll(async () => {
  await server?.stop()
  await proxy?.close()
  await database?.drop()
  await program?.remove()
  await rm(dataDir, { recursive: true, force: true })
})

async function residentKib(): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(server.pid)])
  return Number(stdout)
}

/** Sends a batch and keeps what became of it; never throws. */
async function send(into: Sent[]): Promise<void> {
  const numbers = Array.from({ length: BATCH }, () => ++last)
  const sent: Sent = { at: Date.now(), numbers, status: 0, answeredAt: 0, retryAfter: null }
  into.push(sent)
  const reply = await ask(server.url, '/api/events/ingest', {
    method: 'POST',
    appKey: app.apiKey,
    body: numbers.map(numberedEvent),
  }).catch(() => undefined)
  sent.status = reply?.status ?? 0
  sent.answeredAt = Date.now()
  sent.retryAfter = reply?.headers.get('retry-after') ?? null
}

/** Sends on and on, whether or not there are answers, while the way to the database is in trouble. */
async function pressThrough(trouble: () => void) {
  const sent: Sent[] = []
  const answers: Promise<void>[] = []
  const timer = setInterval(() => answers.push(send(sent)), EVERY_MS)
  await pause(500)
  trouble()
  const troubleAt = Date.now()
  await pause(TROUBLE_MS / 2)
  const kibMidway = await residentKib()
  await pause(TROUBLE_MS / 2)
  const kibAtEnd = await residentKib()
  proxy.mend()
  const resumedAt = Date.now()
  await pause(RECOVERY_MAX_MS)
  clearInterval(timer)
  await Promise.all(answers)
  const { distinct, rows } = await storedNumbers(database.pool, app.id)
  const during = sent.filter((one) => one.at > troubleAt && one.answeredAt < resumedAt)
  const firstAfter = sent.find((one) => one.at > resumedAt && one.status === 201)
  return {
    grownKib: kibAtEnd - kibMidway,
    refused: sent.filter((one) => one.status === 503),
    otherStatuses: new Set(
      sent.map((one) => one.status).filter((status) => status !== 201 && status !== 503),
    ),
    refusedDuring: during.filter((one) => one.status === 503),
    recoveryMs: (firstAfter?.answeredAt ?? Number.POSITIVE_INFINITY) - resumedAt,
    lost: sent
      .filter((one) => one.status === 201)
      .flatMap((one) => one.numbers.filter((n) => !distinct.has(n))),
    twice: rows - distinct.size,
    acknowledged: sent.filter((one) => one.status === 201).length,
  }
}

/** What holds in any trouble. */
function pressedThrough(trouble: (way: CuttableProxy) => void) {
  let result: Awaited<ReturnType<typeof pressThrough>>
  beforeAll(async () => {
    result = await pressThrough(() => trouble(proxy))
  }, 60_000)

  it('events are refused with 503 and nothing else', () => {
    expect({
      some: result.refusedDuring.length > 20,
      otherStatuses: [...result.otherStatuses],
    }).toEqual({ some: true, otherStatuses: [] })
  })

  it('every refusal says when to come back', () => {
    expect(result.refused.filter((one) => !/^[1-9]\d*$/.test(one.retryAfter ?? ''))).toEqual([])
  })

  it('the server does not grow', () => {
    expect(result.grownKib).toBeLessThan(GROWTH_MAX_KIB)
  })

  it('events are taken again within five seconds after it is back', () => {
    expect(result.recoveryMs).toBeLessThan(RECOVERY_MAX_MS)
  })

  it('no acknowledged event is lost and none is stored twice', () => {
    expect({ lost: result.lost, twice: result.twice, some: result.acknowledged > 0 }).toEqual({
      lost: [],
      twice: 0,
      some: true,
    })
  })
}

describe('while the database hangs', () => {
  pressedThrough((way) => way.stall())
})

describe('while the database is gone', () => {
  pressedThrough((way) => way.cut())
})
