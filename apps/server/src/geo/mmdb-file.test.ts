import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyMmdb, v4Bits } from '../../testing/tiny-mmdb.ts'
import { openMmdb, type MmdbFile } from './mmdb-file.ts'
import { locationOf } from './records.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merlon-mmdb-'))
})
afterAll(() => rm(folder, { recursive: true }))

const record = { country: { iso_code: 'DE' }, location: { latitude: 48.1, longitude: 11.5 } }
const networks = Array.from(
  { length: 200 },
  (_, at) => [v4Bits(`${at + 1}.0.0.0`, 8, 6), record] as const,
)
const whole = tinyMmdb({ databaseType: 'GeoLite2-City', ipVersion: 6, networks })

async function open(bytes: Buffer): Promise<MmdbFile> {
  const path = join(folder, 'test.mmdb')
  await writeFile(path, bytes)
  return openMmdb(path)
}

test('says what it is and when it was made', async () => {
  const { databaseType, builtAt } = await open(whole)
  expect([databaseType, builtAt.toISOString()]).toEqual([
    'GeoLite2-City',
    '2025-06-15T15:06:40.000Z',
  ])
})

test('finds the record of an address, and none outside', async () => {
  const { find } = await open(whole)
  expect([find('200.1.2.3'), find('201.1.2.3')]).toEqual([record, undefined])
})

test('a file with random damage is refused or read, and never makes a lookup throw', async () => {
  let state = 42
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
  let read = 0
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(whole)
    for (let hit = 0; hit < 20; hit += 1) bytes[random(bytes.length)] = random(256)
    const file = await open(bytes).catch(() => undefined)
    if (file === undefined) continue
    read += 1
    for (let at = 1; at < 224; at += 1) locationOf(file.find(`${at}.1.2.3`))
  }
  expect(read).toBeGreaterThan(0)
})
