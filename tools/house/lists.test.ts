import { describe, expect, it } from 'vitest'
import { checkLists, checkServerModules } from './lists.ts'
import { treeOf } from './planted.ts'

const RULES = 'packages/engine/src/rules'
const whole = {
  [`${RULES}/sql/comment.ts`]: `export const comment = defineRule({ id: 'sql-comment' })`,
  [`${RULES}/sql/comment.cases.ts`]: '',
  [`${RULES}/sql/union.ts`]: `export const union = defineRule({ id: 'sql-union' })`,
  [`${RULES}/sql/union.cases.ts`]: '',
  [`${RULES}/sql/words.ts`]: `export const words = ['select']`,
  [`${RULES}/index.ts`]: `export const rules: readonly Rule[] = [comment, union]`,
}

function complaintsOf(changes: Readonly<Record<string, string | undefined>>): readonly string[] {
  const tree = treeOf(whole)
  const changed = new Map(tree)
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) changed.delete(path)
    else changed.set(path, text)
  }
  return checkLists(changed).map((violation) => violation.text)
}

describe('checkLists', () => {
  it('accepts a list that names every rule in order', () => {
    expect(complaintsOf({})).toEqual([])
  })

  it.each([
    ['a rule that is not listed', `export const rules = [comment]`, 'does not list'],
    ['a list out of order', `export const rules = [union, comment]`, 'not alphabetical'],
  ])('refuses %s', (_name, text, expected) => {
    expect(complaintsOf({ [`${RULES}/index.ts`]: text })[0]).toContain(expected)
  })

  it('refuses two rules of one id', () => {
    const text = `export const union = defineRule({ id: 'sql-comment' })`
    expect(complaintsOf({ [`${RULES}/sql/union.ts`]: text })[0]).toContain('has the id')
  })

  it('refuses a rule without cases', () => {
    expect(complaintsOf({ [`${RULES}/sql/union.cases.ts`]: undefined })[0]).toContain('beside it')
  })

  it('refuses a folder of rules without a list', () => {
    expect(complaintsOf({ [`${RULES}/index.ts`]: undefined })[0]).toContain('is missing')
  })
})

describe('checkServerModules', () => {
  it('refuses a module that the server does not list', () => {
    const tree = treeOf({
      'apps/server/src/modules.ts': `import { apps } from './modules/apps/index.ts'`,
      'apps/server/src/modules/apps/index.ts': '',
      'apps/server/src/modules/events/index.ts': '',
    })
    expect(checkServerModules(tree).map(({ text }) => text)).toEqual([
      'does not list the module events',
    ])
  })
})
