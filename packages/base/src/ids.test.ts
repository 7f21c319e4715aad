import { describe, expect, it } from 'vitest'
import { createId, createOrderedIds, idPattern, idPrefixes } from './ids.ts'

describe('ids', () => {
  it('match the pattern of their kind and of no other kind', () => {
    const kinds = Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]
    for (const kind of kinds) {
      const id = createId(kind, 1_790_000_000_000)
      const matching = kinds.filter((other) => new RegExp(idPattern(other)).test(id))
      expect(matching).toEqual([kind])
    }
    expect(kinds.length).toBe(18)
  })

  it('sort by the time they were made at', () => {
    const early = createId('event', 1_700_000_000_000)
    const late = createId('event', 1_700_000_000_001)
    expect(early < late).toBe(true)
  })

  it('do not repeat among a hundred thousand of one millisecond', () => {
    const ids = new Set(Array.from({ length: 100_000 }, () => createId('event', 5)))
    expect(ids.size).toBe(100_000)
  })

  it('rise with every call of an ordered maker, also when the clock goes back', () => {
    const next = createOrderedIds('event')
    const ids = [next(1_000), next(1_000), next(900), next(1_001), next(1_001)]
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(5)
    expect(ids.every((id) => new RegExp(idPattern('event')).test(id))).toBe(true)
  })
})
