import { measureBaseline } from '../packages/detect/testing/measure-baseline.ts'
import { defineBench, type BenchResult } from './define.ts'

/** Found by the same method in the study that the thresholds were chosen by. */
const studied = new Map([
  [120, { found3x: 0.25, found5x: 0.61 }],
  [2000, { found3x: 0.67, found5x: 0.98 }],
  [50_000, { found3x: 0.72, found5x: 0.99 }],
])

export default defineBench({
  name: 'baseline',
  summary:
    'simulated weeks of traffic: false alarms per app and week, surges found within 15 minutes',
  run({ quick, log }) {
    const results: BenchResult[] = []
    for (const [requestsPerHour, study] of studied) {
      const size = quick ? { runs: 1, weeks: 1, routes: 5 } : { runs: 4, weeks: 4, routes: 20 }
      const figures = measureBaseline({ requestsPerHour, ...size, seed: 1 })
      const { falsePerWeek, found3x, found5x } = figures
      log(`${requestsPerHour} req/h, ${figures.weeks} weeks: ${JSON.stringify(figures)}`)
      const name = `${requestsPerHour} req/h`
      results.push(
        line(`false alarms at ${name}`, 'per week', falsePerWeek, 1),
        line(`3x surges found at ${name}`, 'share', found3x, study.found3x),
        line(`5x surges found at ${name}`, 'share', found5x, study.found5x),
      )
    }
    return Promise.resolve(results)
  },
})

function line(what: string, unit: string, own: number, peer: number): BenchResult {
  return { what, unit, own, peer, ratio: own / peer, rounds: 1 }
}
