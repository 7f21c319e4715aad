import { describe, expect, it } from 'vitest'
import { findCycles, graphOf } from './cycles.ts'

describe('findCycles', () => {
  it('finds a circle of three and names its members', () => {
    const graph = graphOf([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['d', 'a'],
    ])
    expect(findCycles(graph)).toEqual([['a', 'b', 'c']])
  })

  it('finds none where two ways lead to one place', () => {
    const graph = graphOf([
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'd'],
      ['c', 'd'],
    ])
    expect(findCycles(graph)).toEqual([])
  })
})
