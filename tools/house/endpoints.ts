import { posix } from 'node:path'
import type { House, Violation } from './plan.ts'
import { lineAt, takeApart } from './source-text.ts'
import type { Tree } from './tree.ts'

/** As much of an endpoint as the structure needs to know. */
export interface DeclaredEndpoint {
  readonly method: string
  readonly path: string
  readonly statuses: readonly number[]
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

export type EndpointTable = Readonly<Record<string, Readonly<Record<string, DeclaredEndpoint>>>>

/** One `implement(endpoints.area.name, ...)` in the server. */
export interface Implementation {
  /** Such as `apps.createApp`. */
  readonly key: string
  readonly file: string
  readonly line: number
}

const IMPLEMENT = /\bimplement(?:Raw)?\s*\(\s*endpoints\s*\.\s*(\w+)\s*\.\s*(\w+)/g

export function listImplementations(tree: Tree): readonly Implementation[] {
  return [...tree]
    .filter(([file]) => file.startsWith('apps/server/src/') && !file.endsWith('.test.ts'))
    .flatMap(([file, text]) => {
      const { bareCode } = takeApart(text)
      return [...bareCode.matchAll(IMPLEMENT)].map((match) => ({
        key: `${match[1]}.${match[2]}`,
        file,
        line: lineAt(bareCode, match.index),
      }))
    })
}

/** Every endpoint is implemented once, in the file of its name, with a test of each status beside it. */
export function checkEndpoints(tree: Tree, table: EndpointTable, house: House) {
  const implementations = listImplementations(tree)
  const violations: Violation[] = []
  for (const [area, endpoints] of Object.entries(table)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const key = `${area}.${name}`
      const found = implementations.filter((implementation) => implementation.key === key)
      const [first] = found
      if (first === undefined || found.length > 1) {
        const says = `${endpoint.method} ${endpoint.path} (${key}) is implemented ${found.length} times`
        violations.push({ file: 'packages/contract', text: says })
      } else {
        violations.push(...checkImplementation(tree, first, name, endpoint, house))
      }
    }
  }
  return violations
}

function checkImplementation(
  tree: Tree,
  { file, line }: Implementation,
  name: string,
  endpoint: DeclaredEndpoint,
  house: House,
): readonly Violation[] {
  const violations: Violation[] = []
  if (posix.basename(file) !== `${kebab(name)}.ts`) {
    violations.push({ file, line, text: `implements ${name}; that belongs into ${kebab(name)}.ts` })
  }
  const testFile = file.replace(/\.ts$/, '.test.ts')
  const test = tree.get(testFile)
  if (test === undefined) {
    return [...violations, { file, line, text: `has no ${posix.basename(testFile)} beside it` }]
  }
  const { code } = takeApart(test)
  for (const status of statusesToProve(endpoint, house)) {
    if (!new RegExp(`\\bdescribe\\s*\\(\\s*['"]${status}\\b`).test(code)) {
      const says = `has no describe('${status}') although ${endpoint.method} ${endpoint.path} answers it`
      violations.push({ file: testFile, text: says })
    }
  }
  return violations
}

/** A 400 of an endpoint without any input is the shell's affair, like the statuses named in house.json. */
export function statusesToProve(endpoint: DeclaredEndpoint, house: House): readonly number[] {
  const takesInput = [endpoint.params, endpoint.query, endpoint.body].some(
    (schema) => schema !== undefined,
  )
  return endpoint.statuses.filter(
    (status) => !house.statusesProvenElsewhere.includes(status) && (status !== 400 || takesInput),
  )
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
