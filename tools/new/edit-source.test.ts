import { describe, expect, it } from 'vitest'
import { withEntry, withImport, withListed } from './edit-source.ts'

describe('withImport', () => {
  it('adds the missing names to an import that is there', () => {
    const text = `import { data, endpoint } from './endpoint.ts'\n`
    expect(withImport(text, ['created', 'endpoint'], './endpoint.ts')).toBe(
      `import { created, data, endpoint } from './endpoint.ts'\n`,
    )
  })

  it('adds an import that is not there', () => {
    expect(withImport('const a = 1\n', ['b'], './b.ts')).toBe(
      `import { b } from './b.ts'\nconst a = 1\n`,
    )
  })
})

describe('withEntry', () => {
  it('finds the end of the object past braces in its entries and texts', () => {
    const text = `export const a = { b: f({ c: '}' }),\n}\nexport const d = {}\n`
    expect(withEntry(text, 'a', '  e: 1,\n')).toBe(
      `export const a = { b: f({ c: '}' }),\n  e: 1,\n}\nexport const d = {}\n`,
    )
  })

  it('says when there is no such object', () => {
    expect(() => withEntry('', 'a', '')).toThrow('no "export const a')
  })
})

describe('withListed', () => {
  it('keeps the list alphabetical', () => {
    const text = `import { a } from './a.ts'\nimport { c } from './c.ts'\nexport const all = [a, c]\n`
    expect(withListed(text, 'b', './b.ts')).toContain('= [a, b, c]')
  })
})
