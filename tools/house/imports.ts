import { lineAt, takeApart } from './source-text.ts'

export interface Import {
  readonly specifier: string
  /** Erased before the program runs. */
  readonly typeOnly: boolean
  readonly line: number
}

const STATEMENT =
  /(?<![\w.$])(?:import|export)\s+(type\s+(?!from\b|,))?(?:[\w*{}\s,$]+?\s*from\s*)?(['"])([^'"\n]+)\2/g
const CALL = /(?<![\w.$])import\s*\(\s*(['"])([^'"\n]+)\1/g

/** Every module that a source names: imports, re-exports and `import()` calls. */
export function listImports(text: string): readonly Import[] {
  const { code, bareCode } = takeApart(text)
  /** The keyword itself must be code: a quoted sentence about an import is none. */
  const isCode = (index: number) => bareCode.charAt(index) !== ' '
  const found: Import[] = []
  for (const match of code.matchAll(STATEMENT)) {
    if (!isCode(match.index)) continue
    const typeOnly = match[1] !== undefined || hasTypesAlone(match[0])
    found.push({ specifier: match[3] ?? '', typeOnly, line: lineAt(code, match.index) })
  }
  for (const match of code.matchAll(CALL)) {
    if (!isCode(match.index)) continue
    found.push({ specifier: match[2] ?? '', typeOnly: false, line: lineAt(code, match.index) })
  }
  return found
}

/** `import { type A, type B } from` names nothing but types, although the statement keeps its effect. */
function hasTypesAlone(statement: string): boolean {
  const names = /^(?:import|export)\s*\{([^}]*)\}/.exec(statement)?.[1]
  if (names === undefined) return false
  const parts = names.split(',').map((part) => part.trim())
  return parts.every((part) => part === '' || part.startsWith('type '))
}
