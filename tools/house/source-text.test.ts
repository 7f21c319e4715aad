import { describe, expect, it } from 'vitest'
import { lineAt, takeApart } from './source-text.ts'

describe('takeApart', () => {
  it('keeps quoted strings in the code and drops them from the bare code', () => {
    const { code, bareCode } = takeApart(`import a from './a.ts'`)
    expect(code).toBe(`import a from './a.ts'`)
    expect(bareCode.trim()).toBe('import a from')
  })

  it('moves comments out of the code', () => {
    const { code, comments } = takeApart('one // two\n/* three */ four')
    expect(code.replaceAll(/\s+/g, ' ').trim()).toBe('one four')
    expect(comments).toContain('two')
    expect(comments).toContain('three')
  })

  it('blanks the text of a template but keeps the code inside of it', () => {
    const { code } = takeApart('x = `import ${process.env} from {` + after')
    expect(code).not.toContain('import')
    expect(code).toContain('process.env')
    expect(code).toContain('+ after')
  })

  it('finds its way through an object and a template inside of a template', () => {
    const { code } = takeApart('`a ${f({ b: `c ${d} e` })} g` + after')
    expect(code).toContain('f({ b:')
    expect(code).not.toContain('g')
    expect(code).toContain('+ after')
  })

  it.each([
    ['a quote in a regular expression', `const q = /['"\`]/g; after`],
    ['a slash in a character class', 'const q = /[/"]/; after'],
    ['a division', 'const half = total / 2; const quarter = half / 2; after'],
    ['a URL in a string', `const u = 'http://x'; after`],
    ['an escaped quote', `const u = 'it\\'s'; after`],
  ])('is not led astray by %s', (_name, text) => {
    expect(takeApart(text).bareCode).toContain('after')
  })

  it('keeps every line where it was', () => {
    const text = 'a\n/* b\nc */\n`d\ne`\nf'
    const { code } = takeApart(text)
    expect(lineAt(code, code.indexOf('f'))).toBe(6)
    expect(code.length).toBe(text.length)
  })
})
