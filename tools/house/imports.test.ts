import { describe, expect, it } from 'vitest'
import { listImports } from './imports.ts'

describe('listImports', () => {
  it.each([
    [`import a from './a.ts'`, './a.ts', false],
    [`import { a, b as c } from '@merlon/base'`, '@merlon/base', false],
    [`import {\n  a,\n  type B,\n} from './a.ts'`, './a.ts', false],
    [`import * as all from "node:fs"`, 'node:fs', false],
    [`import './effect.ts'`, './effect.ts', false],
    [`export { a } from './a.ts'`, './a.ts', false],
    [`const a = await import('./a.ts')`, './a.ts', false],
    [`import type { A } from './a.ts'`, './a.ts', true],
    [`import { type A, type B } from './a.ts'`, './a.ts', true],
    [`export type { A } from './a.ts'`, './a.ts', true],
  ])('reads %j', (text, specifier, typeOnly) => {
    expect(listImports(text)).toEqual([{ specifier, typeOnly, line: 1 }])
  })

  it.each([
    ['a comment', `// import a from './a.ts'`],
    ['a template', "const text = `import a from './a.ts'`"],
    ['a quoted string', `const text = "import a from './a.ts'"`],
    ['a declaration', `export const from = 'a'`],
  ])('sees no import in %s', (_name, text) => {
    expect(listImports(text)).toEqual([])
  })

  it('names the line', () => {
    expect(listImports(`\n\nimport a from './a.ts'`)[0]?.line).toBe(3)
  })
})
