import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGeo, type Geo } from '../apps/server/src/geo/index.ts'
import { compare, timesPerSecond } from './compare.ts'
import { defineBench } from './define.ts'

/** Visitors of a site: few come often and many once, four of five over IPv4. */
function zipfMix(distinct: number, length: number): readonly string[] {
  let state = 7
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const word = (): string => Math.floor(random() * 65_536).toString(16)
  const byte = (): number => Math.floor(random() * 256)
  const addresses = Array.from({ length: distinct }, (_, at) =>
    at % 5 === 4
      ? `2a0${Math.floor(random() * 16).toString(16)}:${word()}:${word()}::${word()}`
      : `${1 + Math.floor(random() * 222)}.${byte()}.${byte()}.${byte()}`,
  )
  // With an exponent of 1 the rank is the number of addresses to a random power.
  return Array.from({ length }, () => {
    const rank = Math.floor(distinct ** random()) - 1
    return addresses[Math.min(rank, distinct - 1)] ?? ''
  })
}

export default defineBench({
  name: 'geo',
  summary: 'places of addresses in a Zipf mix, against a bare Map.get that knows them all',
  async run({ quick, log }) {
    const cacheDir = mkdtempSync(join(tmpdir(), 'merlon-geo-bench-'))
    try {
      const warn = (_: object, message: string): void => log(message)
      const quiet = { info: () => undefined, warn }
      const remembering = await openGeo({ cacheDir, log: quiet })
      await remembering.ready
      const forgetful = await openGeo({ cacheDir, log: quiet, remembered: 0 })
      await forgetful.ready

      const mix = zipfMix(100_000, quick ? 50_000 : 500_000)
      const known = new Map(mix.map((ip) => [ip, forgetful.lookup(ip)]))
      const leastMs = quick ? 50 : 500
      const perSecond = async (find: (ip: string) => unknown): Promise<number> => {
        // A thousand in one go, since asking for the time would cost more than a lookup.
        let at = 0
        const thousand = (): number => {
          let found = 0
          for (let count = 0; count < 1000; count += 1) {
            at = at + 1 < mix.length ? at + 1 : 0
            if (find(mix[at] ?? '') !== undefined) found += 1
          }
          return found
        }
        return 1000 * (await timesPerSecond(thousand, { leastMs, batch: 10 }))
      }
      const against = (geo: Geo) =>
        compare({
          own: () => perSecond((ip) => geo.lookup(ip)),
          peer: () => perSecond((ip) => known.get(ip)),
          rounds: quick ? 3 : 7,
        })
      return [
        { what: 'remembering', unit: 'lookups/s', ...(await against(remembering)) },
        { what: 'without memory', unit: 'lookups/s', ...(await against(forgetful)) },
      ]
    } finally {
      rmSync(cacheDir, { recursive: true, force: true })
    }
  },
})
