import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tinyMmdb, v4Bits } from '../../testing/tiny-mmdb.ts'
import { openGeo, type Geo, type GeoOptions } from './index.ts'

let folder: string
let cacheDir: string
let geo: Geo
const lines: string[] = []
const log = {
  info: () => undefined,
  warn: (fields: object, message: string) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merlon-geo-'))
  cacheDir = join(folder, 'cache')
  geo = await openGeo({ cacheDir, log })
  await geo.ready
})
afterAll(() => rm(folder, { recursive: true }))

/** Opens with what the test is about, waits for all data, and tells what was warned of. */
async function opened(options: Partial<GeoOptions>): Promise<{ own: Geo; warnings: string[] }> {
  lines.length = 0
  const own = await openGeo({ cacheDir, log, ...options })
  await own.ready
  return { own, warnings: [...lines] }
}

async function file(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

describe('lookup with the data in the box', () => {
  test('knows the country and the network of an IPv4 address', () => {
    expect(geo.lookup('8.8.8.8')).toEqual({ country: 'US', asn: 15_169, asnName: 'Google LLC' })
  })

  test('knows the network of 1.0.0.1', () => {
    expect(geo.lookup('1.0.0.1')).toMatchObject({ asn: 13_335, asnName: 'Cloudflare, Inc.' })
  })

  test('knows the country and the network of an IPv6 address', () => {
    expect(geo.lookup('2001:4860:4860::8888')).toMatchObject({ country: 'US', asn: 15_169 })
  })

  test('takes a mapped IPv4 address for what it means, in both spellings', () => {
    expect([geo.lookup('::ffff:8.8.8.8'), geo.lookup('::FFFF:0808:0808')]).toEqual([
      geo.lookup('8.8.8.8'),
      geo.lookup('8.8.8.8'),
    ])
  })

  test.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['192.168.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['::1'],
    ['fd00::1'],
    ['fe80::1'],
    ['::ffff:10.0.0.1'],
    ['2001:db8::1'],
  ])('answers an empty place for %s', (ip) => {
    expect(geo.lookup(ip)).toEqual({})
  })

  test.each([
    [''],
    ['localhost'],
    ['8.8.8'],
    ['8.8.8.8 '],
    ['08.8.8.8'],
    ['256.1.1.1'],
    ['1.1.1.1:80'],
    ['fe80::1%eth0'],
    [':::'],
    ['__proto__'],
    ['\u0000'],
    ['\ud800'],
    ['1'.repeat(1_000_000)],
  ])('answers an empty place for a text that is no address', (text) => {
    expect(geo.lookup(text)).toEqual({})
  })

  test('hands out places that nobody can change', () => {
    expect([Object.isFrozen(geo.lookup('8.8.8.8')), Object.isFrozen(geo.lookup('::1'))]).toEqual([
      true,
      true,
    ])
  })

  test('names the sources of what it shows', () => {
    expect(geo.attribution.map(({ url }) => url)).toEqual([
      'https://github.com/sapics/ip-location-db',
      'https://www.nro.net/',
      'https://www.routeviews.org/',
      'https://db-ip.com/',
    ])
  })

  test('says where each kind of answer comes from', () => {
    expect(geo.sources.map(({ kind, origin, state }) => [kind, origin, state])).toEqual([
      ['country', 'package', 'ready'],
      ['network', 'package', 'ready'],
    ])
  })
})

describe('the network table', () => {
  test('is compiled without holding the event loop up', async () => {
    // On a busy machine one run measures the others too; what blocks by itself blocks in every run.
    let slowestTurnMs = Number.POSITIVE_INFINITY
    for (let run = 0; run < 5 && slowestTurnMs >= 50; run += 1) {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const own = await openGeo({ cacheDir: join(folder, `run-${run}`), log })
      await own.ready
      delay.disable()
      slowestTurnMs = Math.min(slowestTurnMs, delay.max / 1e6)
    }
    expect(slowestTurnMs).toBeLessThan(50)
  })

  test('is not there yet when openGeo comes back, and countries are', async () => {
    const own = await openGeo({ cacheDir: join(folder, 'slow'), log })
    const early = own.lookup('8.8.8.8')
    await own.close()
    expect(early).toEqual({ country: 'US' })
  })

  test('reaches addresses that were asked for before it was there', async () => {
    const own = await openGeo({ cacheDir, log })
    own.lookup('8.8.8.8')
    await own.ready
    expect(own.lookup('8.8.8.8').asn).toBe(15_169)
  })

  test('leaves nothing in the cache when closed before it is compiled', async () => {
    const dir = join(folder, 'closed')
    const own = await openGeo({ cacheDir: dir, log })
    await own.close()
    await expect(readdir(dir)).rejects.toThrow('ENOENT')
  })

  test('is taken from the cache the next time', async () => {
    const [name = ''] = await readdir(cacheDir)
    const longAgo = new Date('2020-01-01')
    await utimes(join(cacheDir, name), longAgo, longAgo)
    const { own } = await opened({})
    expect([own.lookup('1.0.0.1').asn, (await stat(join(cacheDir, name))).mtime]).toEqual([
      13_335,
      longAgo,
    ])
  })

  test('stays below 30 MB', async () => {
    const [name = ''] = await readdir(cacheDir)
    expect((await stat(join(cacheDir, name))).size).toBeLessThan(30_000_000)
  })

  test('is made anew when the cached one is damaged, and outdated ones go', async () => {
    const [name = ''] = await readdir(cacheDir)
    await truncate(join(cacheDir, name), 5_000_000)
    await writeFile(join(cacheDir, 'asn-1.0.0.bin'), 'of an older version')
    const { own, warnings } = await opened({})
    expect({
      asn: own.lookup('1.0.0.1').asn,
      files: await readdir(cacheDir),
      warnings: warnings.map((line) => line.includes('damaged')),
    }).toEqual({ asn: 13_335, files: [name], warnings: [true] })
  })

  test('works from memory when it cannot be cached', async () => {
    const notAFolder = await file('not-a-folder', '')
    const { own, warnings } = await opened({ cacheDir: notAFolder })
    expect([own.lookup('1.0.0.1').asn, warnings.at(-1)]).toEqual([
      13_335,
      expect.stringContaining('could not be cached'),
    ])
  })
})

describe('files of the operator', () => {
  const munich = {
    country: { iso_code: 'DE' },
    city: { names: { en: 'Munich' } },
    location: { latitude: 48.1374, longitude: 11.5755, accuracy_radius: 20 },
  }

  test('a city file in the layout of MaxMind adds city and coordinates', async () => {
    const networks = [[v4Bits('8.0.0.0', 8, 6), munich]] as const
    const bytes = tinyMmdb({ databaseType: 'GeoLite2-City', ipVersion: 6, networks })
    const { own, warnings } = await opened({ cityPath: await file('city.mmdb', bytes) })
    expect([own.lookup('8.8.8.8'), own.attribution[0]?.url, warnings]).toEqual([
      {
        country: 'DE',
        city: 'Munich',
        lat: 48.1374,
        lon: 11.5755,
        accuracyKm: 20,
        asn: 15_169,
        asnName: 'Google LLC',
      },
      'https://www.maxmind.com',
      [],
    ])
  })

  test('a flat city file of IPv4 alone leaves IPv6 to the data in the box', async () => {
    const record = { country_code: 'FR', city: 'Paris', latitude: 48.85, longitude: 2.35 }
    // 32.0.0.0/3 holds 2001:… when an IPv6 address is taken for an IPv4 one.
    const networks = [[v4Bits('8.0.0.0', 8, 4), record] as const, ['001', record] as const]
    const bytes = tinyMmdb({ databaseType: 'city ipv4', ipVersion: 4, networks })
    const { own } = await opened({ cityPath: await file('city-v4.mmdb', bytes) })
    expect([own.lookup('8.8.8.8').city, own.lookup('2001:4860:4860::8888').country]).toEqual([
      'Paris',
      'US',
    ])
  })

  test('a network file takes the place of the table', async () => {
    const record = { autonomous_system_number: 64_500, autonomous_system_organization: 'Own' }
    const networks = [[v4Bits('8.0.0.0', 8, 6), record]] as const
    const bytes = tinyMmdb({ databaseType: 'GeoLite2-ASN', ipVersion: 6, networks })
    const { own } = await opened({ asnPath: await file('asn.mmdb', bytes) })
    expect(own.lookup('8.8.8.8')).toEqual({ country: 'US', asn: 64_500, asnName: 'Own' })
  })

  test('a country file is read from its path', async () => {
    const require = createRequire(import.meta.url)
    const name = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb'
    const { own } = await opened({ countryPath: require.resolve(name) })
    expect([own.lookup('8.8.8.8').country, own.sources[0]?.origin]).toEqual(['US', 'file'])
  })

  test('a file of another kind is refused with a reason', async () => {
    const networks = [[v4Bits('8.0.0.0', 8, 6), munich]] as const
    const bytes = tinyMmdb({ databaseType: 'GeoLite2-City', ipVersion: 6, networks })
    const { own, warnings } = await opened({ asnPath: await file('wrong-kind.mmdb', bytes) })
    expect([own.lookup('8.8.8.8').asn, warnings]).toEqual([
      15_169,
      [expect.stringContaining('holds no network data')],
    ])
  })

  test.each([
    ['is missing', () => Promise.resolve(join(folder, 'nowhere.mmdb'))],
    ['is a folder', () => Promise.resolve(folder)],
    ['is empty', () => file('empty.mmdb', '')],
    ['is a text', () => file('text.mmdb', 'country,DE\n'.repeat(1000))],
    [
      'is cut off in front',
      async () => {
        const require = createRequire(import.meta.url)
        const name = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
        const bytes = await readFile(require.resolve(name))
        return file('cut.mmdb', bytes.subarray(5_000_000))
      },
    ],
  ])('a country file that %s is warned of, and the box steps in', async (_, path) => {
    const countryPath = await path()
    const { own, warnings } = await opened({ countryPath })
    expect([own.lookup('8.8.8.8').country, warnings]).toEqual([
      'US',
      [expect.stringContaining(countryPath)],
    ])
  })
})
