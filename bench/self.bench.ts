import { compare, timesPerSecond } from './compare.ts'
import { defineBench } from './define.ts'

/** The runner measured with itself: the same work on both sides must come out as equal. */
export default defineBench({
  name: 'self',
  summary: 'the same work on both sides: how far a ratio strays on this machine',
  async run({ quick }) {
    const hash = () => {
      let value = 0
      for (let index = 0; index < 10_000; index += 1) value = (value * 31 + index) | 0
      return value
    }
    const side = () => timesPerSecond(hash, { leastMs: quick ? 20 : 200, batch: 10 })
    const result = await compare({ own: side, peer: side, rounds: quick ? 3 : 9 })
    return [{ what: 'equal work', unit: 'runs/s', ...result }]
  },
})
