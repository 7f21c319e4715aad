import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  buildServerProgram,
  databaseUrl,
  newApp,
  startServer,
  type ServerProcess,
  type ServerProgram,
} from '../../apps/server/testing/server-process.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/testing/test-database.ts'
import { NumberedSender, pause } from './numbered-events.ts'
import { StreamReader } from './stream-reader.ts'

const READERS_PER_NODE = 3
const DELIVERY_MAX_MS = 20_000

let dataDir: string
let program: ServerProgram
let database: TestDatabase
let nodes: readonly [ServerProcess, ServerProcess]
let killed = false
const readers: { readonly home: 'first' | 'second'; readonly reader: StreamReader }[] = []
const senders: NumberedSender[] = []

/** Readers and senders of the second node move to the first one when it is gone. */
const nodeOf = (home: 'first' | 'second'): string =>
  home === 'first' || killed ? nodes[0].url : nodes[1].url

const sorted = (numbers: Iterable<number>): readonly number[] =>
  [...numbers].toSorted((a, b) => a - b)

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'merlon-nodes-'))
  program = await buildServerProgram()
  database = await createTestDatabase()
  const env = { DATABASE_URL: databaseUrl({ ...inject('postgres'), ...database.connection }) }
  const startNode = async (name: string): Promise<ServerProcess> =>
    startServer(program, { ...env, MERLON_DATA_DIR: join(dataDir, name) })
  nodes = [await startNode('first'), await startNode('second')]
  const app = await newApp(nodes[0].url, 'Streamed')
  for (const home of ['first', 'second'] as const) {
    for (let at = 0; at < READERS_PER_NODE; at++) {
      const reader = new StreamReader(app.id, () => nodeOf(home))
      await reader.start()
      readers.push({ home, reader })
    }
    const sender = new NumberedSender(app.apiKey, home === 'first' ? 0 : 1_000_000)
    sender.url = nodeOf(home)
    senders.push(sender)
  }
  for (const sender of senders) sender.start(2)
  await pause(2_000)
  killed = true
  await nodes[1].kill()
  for (const sender of senders) sender.url = nodes[0].url
  await pause(2_000)
  for (const sender of senders) await sender.finish(20_000)
  const expected = senders.reduce((sum, sender) => sum + sender.acknowledged.size, 0)
  const until = Date.now() + DELIVERY_MAX_MS
  while (Date.now() < until && readers.some(({ reader }) => reader.ids.length < expected)) {
    await pause(50)
  }
  // What would come twice has time to come.
  await pause(1_500)
}, 120_000)

afterAll(async () => {
  for (const { reader } of readers) await reader.close()
  for (const node of nodes ?? []) await node.stop()
  await database?.drop()
  await program?.remove()
  await rm(dataDir, { recursive: true, force: true })
})

describe('two servers on one database, one of them killed', () => {
  it('took hundreds of events in on each', () => {
    expect(Math.min(...senders.map((sender) => sender.acknowledged.size))).toBeGreaterThan(200)
  })

  it('lost the readers of the killed one and no other', () => {
    expect(readers.map(({ home, reader }) => [home, reader.connections > 1])).toEqual([
      ...repeat(['first', false]),
      ...repeat(['second', true]),
    ])
  })

  it.each(['first', 'second'] as const)(
    'showed every event of both nodes to each reader of the %s, without a gap',
    (home) => {
      const all = sorted(senders.flatMap((sender) => [...sender.acknowledged]))
      for (const { reader } of readers.filter((one) => one.home === home)) {
        expect(sorted(new Set(reader.numbers))).toEqual(all)
      }
    },
  )

  it('gave no reader an event twice', () => {
    for (const { reader } of readers) expect(reader.ids.length).toBe(new Set(reader.ids).size)
  })

  it('showed all readers the same events in the same order', () => {
    const [first, ...others] = readers.map(({ reader }) => reader.ids.join())
    expect(others.every((ids) => ids === first)).toBe(true)
  })
})

function repeat<T>(value: T): T[] {
  return Array.from({ length: READERS_PER_NODE }, () => value)
}
