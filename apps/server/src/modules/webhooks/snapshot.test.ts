import { describe, expect, it } from 'vitest'
import { wasVisible } from './snapshot.ts'

describe('a snapshot', () => {
  it.each([
    ['9', true],
    ['10', false],
    ['11', true],
    ['12', false],
    ['13', true],
    ['20', false],
    ['100', false],
  ])('that was taken while 10 and 12 ran, before 20 began, shows %s: %s', (xid, visible) => {
    expect(wasVisible('10:20:10,12', xid)).toBe(visible)
  })

  it('without anything running shows everything before it', () => {
    expect([wasVisible('20:20:', '19'), wasVisible('20:20:', '20')]).toEqual([true, false])
  })
})
