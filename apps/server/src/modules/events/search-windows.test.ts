import { describe, expect, it } from 'vitest'
import { searchWindows } from './search-windows.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`)
const windows = (limits: { from?: Date; upTo?: Date } = {}) => [...searchWindows(now, limits)]

describe('searchWindows', () => {
  it('begins with the newest days and has no upper end, for times that lie ahead', () => {
    expect(windows()[0]).toEqual({ from: day('2026-11-11') })
  })

  it('ends with a stretch that has no lower end', () => {
    expect(windows().at(-1)).toEqual({ below: day('2026-01-27') })
  })

  it('leaves no gap and no overlap between one stretch and the next', () => {
    const all = windows()
    expect(all).toHaveLength(4)
    expect(all.slice(1).map((window) => window.below)).toEqual(
      all.slice(0, -1).map((window) => window.from),
    )
  })

  it('begins at the latest time that is asked for', () => {
    expect(windows({ upTo: new Date('2026-03-20T12:00:00Z') })[0]).toEqual({
      from: day('2026-03-16'),
    })
  })

  it('is no more than the time that is asked for needs', () => {
    expect(windows({ from: day('2026-11-12') })).toEqual([{}])
    expect(windows({ from: day('2026-11-01') })).toEqual([
      { from: day('2026-11-11') },
      { below: day('2026-11-11') },
    ])
  })
})
