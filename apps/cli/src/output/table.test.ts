import { describe, expect, it } from 'vitest'
import { clean, formatFacts, formatTable } from './table.ts'

describe('formatTable', () => {
  it('makes each column as wide as its widest cell', () => {
    const text = formatTable(
      ['id', 'name'],
      [
        ['1', 'Shop'],
        ['1000', 'A'],
      ],
    )
    expect(text).toBe('ID    NAME\n1     Shop\n1000  A')
  })

  it('counts a composed character once', () => {
    const text = formatTable(['a', 'b'], [['e\u0301', 'x']])
    expect(text.split('\n')[1]).toBe('e\u0301  x')
  })
})

describe('formatFacts', () => {
  it('lines the values up', () => {
    expect(formatFacts({ Id: '1', Name: 'Shop' })).toBe('Id    1\nName  Shop')
  })
})

describe('clean', () => {
  it.each([
    ['\u001B[31mred', '[31mred'],
    ['two\nlines', 'twolines'],
    ['turned \u202Earound', 'turned around'],
    ['grün 🙂', 'grün 🙂'],
  ])('makes %j harmless', (text, expected) => {
    expect(clean(text)).toBe(expected)
  })
})
