import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { testWorkers } from '../../testing/job-worker.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { defineJob, enqueue, findJob } from './index.ts'

let database: TestDatabase
let folder: string
const clock = { now: () => Date.now() }
const workers = testWorkers(() => database, clock)
const children: ChildProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'merlon-job-crash-'))
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    external: ['pg-native'],
    entryPoints: [fileURLToPath(new URL('../../testing/crashing-worker.ts', import.meta.url))],
    outfile: join(folder, 'worker.cjs'),
  })
})
afterEach(async () => {
  await workers.stopAll()
  for (const child of children) child.kill('SIGKILL')
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

/** Counts up with a checkpoint at each step; answers once it has reached `step`. */
async function startCountingProcess(step: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(folder, 'worker.cjs'), JSON.stringify(database.connection)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    if (Number(line) >= step) return child
  }
  throw new Error('The worker ended before it came so far.')
}

it('resumes at the checkpoint within the time of a lease after kill -9 of the worker', async () => {
  const id = await enqueue(database.db, { kind: 'count', payload: {} }, clock)
  const child = await startCountingProcess(5)
  const exited = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  child.kill('SIGKILL')
  expect(await exited).toBe('SIGKILL')
  const killedAt = clock.now()
  const left = await findJob(database.db, id)
  expect(left).toMatchObject({ status: 'running', attempts: 1 })

  let resumedAt = 0
  const count = defineJob<unknown, number>({
    kind: 'count',
    run: async ({ checkpoint, attempt }) => {
      resumedAt = clock.now()
      return { from: checkpoint, attempt }
    },
  })
  workers.start({ handlers: [count], leaseMs: 1_000, heartbeatMs: 300, pollMs: 100 })
  await vi.waitFor(async () => {
    expect((await findJob(database.db, id))?.status).toBe('completed')
  }, 10_000)
  const result = (await findJob(database.db, id))?.result
  expect(result).toEqual({ from: left?.checkpoint, attempt: 2 })
  expect(left?.checkpoint).toBeGreaterThanOrEqual(5)
  // A lease of one second, one sweep, and the room that a busy machine needs.
  expect(resumedAt - killedAt).toBeLessThan(4_000)
})
