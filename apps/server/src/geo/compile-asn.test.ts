import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseIp } from '@merlon/base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fourWords } from './address.ts'
import { decodeAsnTable, type AsnTable, type Network } from './asn-table.ts'
import { compileAsn } from './compile-asn.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merlon-asn-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function compile(v4: string, v6 = ''): Promise<{ table: AsnTable; skipped: number }> {
  const files = { v4: join(folder, 'v4.csv'), v6: join(folder, 'v6.csv') }
  await writeFile(files.v4, v4)
  await writeFile(files.v6, v6)
  const { bytes, skipped } = await compileAsn(files)
  const table = decodeAsnTable(bytes)
  if (table === undefined) throw new Error('The table that was just made cannot be read')
  return { table, skipped }
}

/** Straight from the words, since the networks of these tests lie in reserved ranges too. */
function find(table: AsnTable, ip: string): Network | undefined {
  const v6 = fourWords(parseIp(ip) ?? [])
  return table.find({ v4: ip.includes(':') ? undefined : v6[3], v6 })
}

test('a range holds from its first to its last address, and no further', async () => {
  const { table } = await compile(
    '16777216,16777471,13335,Cloudflare\n4294967294,4294967295,7,Top\n',
  )
  expect(
    ['0.255.255.255', '1.0.0.0', '1.0.0.255', '1.0.1.0', '255.255.255.253', '255.255.255.255'].map(
      (ip) => find(table, ip)?.asn,
    ),
  ).toEqual([undefined, 13_335, 13_335, undefined, undefined, 7])
})

test('an IPv6 range holds to the last of its 128 bits', async () => {
  const { table } = await compile(
    '',
    '2001::,2001::1,1,A\n2001::2,2001::ffff,2,B\nffff::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe,3,C\n',
  )
  expect(
    [
      '2001::1',
      '2001::2',
      '2001::ffff',
      '2001::1:0',
      'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ].map((ip) => find(table, ip)?.asn),
  ).toEqual([1, 2, 2, undefined, undefined])
})

test('a low IPv6 address is not taken for an IPv4 one', async () => {
  const { table } = await compile('0,4294967295,5,All\n')
  expect(find(table, '::1.2.3.4')).toBeUndefined()
})

test('a name keeps commas, quotes and letters beyond ASCII', async () => {
  const { table } = await compile('0,1,9,"Größe ""A"", Inc."\n2,3,10,東京\n4,5,11\n')
  expect(['0.0.0.0', '0.0.0.2', '0.0.0.4'].map((ip) => find(table, ip))).toEqual([
    { asn: 9, asnName: 'Größe "A", Inc.' },
    { asn: 10, asnName: '東京' },
    { asn: 11 },
  ])
})

test('rows that are malformed or overlap the row before are counted and left out', async () => {
  const { table, skipped } = await compile(
    '10,20,1,A\nnonsense\n15,30,2,B\n40,30,3,C\n50,60,x,D\n70,4294967296,4,E\n80,90,5,F',
  )
  expect({ skipped, ranges: table.ranges, last: find(table, '0.0.0.85') }).toEqual({
    skipped: 5,
    ranges: 2,
    last: { asn: 5, asnName: 'F' },
  })
})

test('rows are whole however they lie across the pieces that are read', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, at) => `${at * 10},${at * 10 + 9},${at + 1},N${at}\n`,
  )
  const { table, skipped } = await compile(rows.join(''))
  expect(skipped).toBe(0)
  for (let at = 0; at < 20_000; at += 1) {
    const network = table.find({ v4: at * 10 + 5, v6: [] })
    if (network?.asn !== at + 1 || network.asnName !== `N${at}`)
      throw new Error(`row ${at} is wrong`)
  }
})

test('a table with one wrong bit anywhere is refused', async () => {
  const files = { v4: join(folder, 'bits4.csv'), v6: join(folder, 'bits6.csv') }
  await writeFile(files.v4, '10,20,1,A\n')
  await writeFile(files.v6, '2001::,2001::1,1,A\n')
  const { bytes } = await compileAsn(files)
  const accepted = Array.from(bytes.keys()).filter((at) => {
    const damaged = Uint8Array.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    return decodeAsnTable(damaged) !== undefined
  })
  expect(accepted).toEqual([])
})
