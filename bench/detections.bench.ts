import { measureAuth } from '../packages/detect/testing/measure-auth.ts'
import { measureDetections } from '../packages/detect/testing/measure-detections.ts'
import { defineBench, type BenchResult } from './define.ts'

/** A figure against the bar that it has to keep, in place of a peer. */
function against(what: string, unit: string, own: number, bar: number): BenchResult {
  return { what, unit, own, peer: bar, ratio: own / bar, rounds: 1 }
}

export default defineBench({
  name: 'detections',
  summary:
    'replay of honest users and planted attacks: all plants found, false alarms against the bar',
  run({ quick, log }) {
    const results: BenchResult[] = []
    for (const data of ['city', 'country'] as const) {
      const size = quick ? { users: 100, days: 30 } : { users: 1000, days: 60 }
      const figures = measureDetections({ ...size, seed: 1, data })
      const { userDays, bySeverity, foundBySeverity, allPer1000, mediumPer1000 } = figures
      log(`${data} data, ${userDays} user-days, ${figures.logins} logins`)
      log(
        `  false: ${allPer1000.toFixed(2)} per 1,000 user-days of any severity, ${mediumPer1000.toFixed(2)} of MEDIUM or more ${JSON.stringify(bySeverity)}`,
      )
      log(
        `  planted: ${figures.found} of ${figures.planted} found ${JSON.stringify(foundBySeverity)}`,
      )
      log(`  new devices told: ${figures.newDevicePer1000.toFixed(2)} per 1,000 user-days`)
      results.push(
        against(`travel found, ${data} data`, 'share', figures.found / figures.planted, 1),
        against(`travel false alarms, ${data} data`, 'per 1,000 user-days', mediumPer1000, 1),
      )
    }
    const auth = measureAuth({ users: quick ? 300 : 3000, days: quick ? 4 : 14, seed: 1 })
    log(
      `logins: ${auth.allPer1000.toFixed(2)} false alarms per 1,000 user-days, ${auth.mediumPer1000.toFixed(2)} of MEDIUM or more; ${auth.found} of ${auth.planted} attacks found`,
    )
    results.push(
      against('login attacks found', 'share', auth.found / auth.planted, 1),
      against('login false alarms', 'per 1,000 user-days', auth.mediumPer1000, 1),
    )
    return Promise.resolve(results)
  },
})
