import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkLists } from '../house/lists.ts'
import { readTree } from '../house/tree.ts'
import { root } from '../root.mjs'
import { scaffold } from './scaffold.ts'

// Below the root, so that the compiler finds the installed packages from there.
mkdirSync(join(root, '.build'), { recursive: true })
const base = mkdtempSync(join(root, '.build', 'scaffold-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let houses = 0
function emptyHouse(): string {
  houses += 1
  const folder = join(base, String(houses))
  mkdirSync(folder)
  return folder
}

/** What the strict compiler of this repository says about a scaffolded tree. */
function compile(folder: string): string {
  const settings = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { types: ['node'], lib: ['ES2023', 'DOM'] },
    include: ['packages'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  return spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout
}

describe('scaffold', () => {
  it.each([
    ['rule', 'sql/stacked-query', 'packages/shield/src/rules/sql/stacked-query.cases.ts'],
    ['scanner-rule', 'secrets/stripe-key', 'packages/scanner/src/rules/secrets/stripe-key.ts'],
    ['module', 'template-injection', 'packages/pentest/testing/targets/template-injection.ts'],
  ])('makes a %s that compiles and is listed', (kind, name, file) => {
    const folder = emptyHouse()
    const { written } = scaffold(folder, kind, name)
    expect(written).toContain(file)
    expect(compile(folder)).toBe('')
    expect(checkLists(readTree(folder))).toEqual([])
  })

  it('keeps the list in order when a second rule comes', () => {
    const folder = emptyHouse()
    scaffold(folder, 'rule', 'sql/union')
    scaffold(folder, 'rule', 'sql/comment')
    expect(checkLists(readTree(folder))).toEqual([])
  })

  it('makes an endpoint with its declaration, its handler and its test', () => {
    const folder = emptyHouse()
    const { written } = scaffold(folder, 'endpoint', 'shield/create-thing')
    expect(written).toEqual([
      'apps/server/src/modules/shield/create-thing.ts',
      'apps/server/src/modules/shield/create-thing.test.ts',
      'packages/contract/src/shield.ts',
      'apps/server/src/modules/shield/index.ts',
    ])
    const contract = readFileSync(join(folder, 'packages/contract/src/shield.ts'), 'utf8')
    expect(contract).toContain(`method: 'POST'`)
    expect(contract).toContain(`path: '/api/shield/thing'`)
  })

  it('adds a second endpoint to the declarations that are there', () => {
    const folder = emptyHouse()
    scaffold(folder, 'endpoint', 'shield/create-thing')
    scaffold(folder, 'endpoint', 'shield/list-things')
    const contract = readFileSync(join(folder, 'packages/contract/src/shield.ts'), 'utf8')
    expect(contract).toMatch(/createThing: endpoint[^]*listThings: endpoint/)
    expect(contract).toContain(`import { created, data, endpoint } from './endpoint.ts'`)
  })

  it('makes a page with its test', () => {
    const folder = emptyHouse()
    expect(scaffold(folder, 'page', 'findings/open-findings').written).toContain(
      'apps/dashboard/src/pages/findings/OpenFindingsPage.test.tsx',
    )
  })

  it('writes nothing when one of the files exists', () => {
    const folder = emptyHouse()
    mkdirSync(join(folder, 'packages/shield/src/rules/sql'), { recursive: true })
    writeFileSync(join(folder, 'packages/shield/src/rules/sql/union.cases.ts'), 'mine')
    expect(() => scaffold(folder, 'rule', 'sql/union')).toThrow('exists already')
    expect(existsSync(join(folder, 'packages/shield/src/rules/sql/union.ts'))).toBe(false)
  })

  it('names the workspaces that did not exist', () => {
    const { newWorkspaces } = scaffold(emptyHouse(), 'rule', 'sql/union')
    expect(newWorkspaces).toEqual(['packages/shield'])
  })

  it.each(['Sql/union', 'sql/', 'sql', 'a/b/c', 'sql/../x', 'sql/two__words'])(
    'refuses the name %j',
    (name) => {
      expect(() => scaffold(emptyHouse(), 'rule', name)).toThrow('must')
    },
  )
})
