import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Analytics } from '@merlon/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEmbeddedConnection } from '../../apps/server/src/db/embedded/index.ts'
import {
  ask,
  buildServerProgram,
  newApp,
  startServer,
  type ServerProcess,
  type ServerProgram,
} from '../../apps/server/testing/server-process.ts'
import { NumberedSender, pause } from './numbered-events.ts'
import { countedLines, recountedLines, storedNumbers } from './recount.ts'

const ROUNDS = 20
const LANES = 6

let dataDir: string
let program: ServerProgram
let server: ServerProcess
let pool: pg.Pool
let app: { id: string; apiKey: string }
let sender: NumberedSender
let crashes = 0

const start = async (): Promise<ServerProcess> =>
  startServer(program, { MERLON_DATA_DIR: dataDir, MERLON_LOG_LEVEL: 'fatal' })

/** Both at once, the one or the other a little earlier: a machine that loses power asks nobody. */
async function crash(): Promise<void> {
  const recorded = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as {
    pid: number
  }
  const killDatabase = (): boolean => process.kill(recorded.pid, 'SIGKILL')
  if (Math.random() < 0.5) {
    killDatabase()
    await pause(Math.random() * 30)
    await server.kill()
  } else {
    const gone = server.kill()
    killDatabase()
    await gone
  }
  crashes++
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'merlon-crash-'))
  program = await buildServerProgram()
  server = await start()
  app = await newApp(server.url, 'Crashing')
  sender = new NumberedSender(app.apiKey)
  sender.start(LANES)
  for (let round = 0; round < ROUNDS; round++) {
    sender.url = server.url
    await pause(200 + Math.random() * 1_000)
    await crash()
    sender.url = undefined
    server = await start()
  }
  sender.url = server.url
  await sender.finish(30_000)
  const connection = await readEmbeddedConnection(dataDir)
  pool = new pg.Pool({ ...connection, max: 2 })
}, 300_000)

afterAll(async () => {
  await pool?.end()
  await server?.stop()
  await program?.remove()
  await rm(dataDir, { recursive: true, force: true })
})

describe('after twenty crashes of server and database under load', () => {
  it('had crashed twenty times with thousands of events acknowledged', () => {
    expect({ crashes, plenty: sender.acknowledged.size > 2_000 }).toEqual({
      crashes: ROUNDS,
      plenty: true,
    })
  })

  it('had cut requests off in the middle', () => {
    expect(sender.refusals.get(0)).toBeGreaterThan(ROUNDS / 2)
  })

  it('no acknowledged event is lost', async () => {
    const { distinct } = await storedNumbers(pool, app.id)
    expect([...sender.acknowledged].filter((n) => !distinct.has(n))).toEqual([])
  })

  it('no event is stored twice, however often it was sent', async () => {
    const { rows, distinct } = await storedNumbers(pool, app.id)
    expect(rows).toBe(distinct.size)
  })

  it('the analytics count each event once', async () => {
    const { data } = await ask<Analytics>(
      server.url,
      `/api/events/analytics?appId=${app.id}&window=24h`,
    )
    expect(data.totalEvents).toBe(sender.lastNumber)
  })

  it.each(['hour', 'day'] as const)(
    'the rollups by %s with the unfolded rest equal a recount of every dimension',
    async (unit) => {
      expect(await countedLines(pool, app.id, unit)).toEqual(
        await recountedLines(pool, app.id, unit),
      )
    },
  )
})
