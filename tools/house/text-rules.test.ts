import { describe, expect, it } from 'vitest'
import { plantedHouse, treeOf } from './planted.ts'
import { checkTexts } from './text-rules.ts'

function complaintsOf(file: string, text: string): readonly string[] {
  return checkTexts(treeOf({ [file]: text }), plantedHouse).map((violation) => violation.text)
}

const lines = (count: number) => 'a\n'.repeat(count)

describe('checkTexts', () => {
  it('refuses a file of 401 lines', () => {
    expect(complaintsOf('packages/base/src/a.ts', lines(401))[0]).toContain('401 lines')
  })

  it('accepts a file of 400 lines', () => {
    expect(complaintsOf('packages/base/src/a.ts', lines(400))).toEqual([])
  })

  it.each(['a.test.ts', 'a.cases.ts', 'payloads.ts'])('lets %s be as long as it needs', (name) => {
    expect(complaintsOf(`packages/base/src/${name}`, lines(401))).toEqual([])
  })

  it.each([
    ['an unfinished spot', 'packages/base/src/a.ts', `// ${'TO'}DO later`, 'unfinished'],
    ['process in a room', 'apps/server/src/http/a.ts', 'const a = process.env', 'main.ts'],
    ['process by import', 'apps/server/src/http/a.ts', `import p from 'node:process'`, 'main.ts'],
    ['the clock in an engine', 'packages/engine/src/a.ts', 'const a = Date.now()', 'clock'],
    ['the current date in an engine', 'packages/engine/src/a.ts', 'const a = new Date()', 'clock'],
    ['a query in a handler', 'apps/server/src/modules/apps/a.ts', 'db.selectFrom(x)', 'SQL'],
    ['an SQL template in a handler', 'apps/server/src/modules/apps/a.ts', 'sql<X>`select`', 'SQL'],
  ])('refuses %s', (_name, file, text, expected) => {
    const complaints = complaintsOf(file, text)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain(expected)
  })

  it.each([
    ['process in a main.ts', 'apps/server/src/main.ts', 'const a = process.env'],
    ['a fact about the machine', 'apps/server/src/db/a.ts', `process.platform === 'win32'`],
    [
      'the word process in a sentence',
      'packages/base/src/a.ts',
      `const a = 'process.env' // process.exit`,
    ],
    ['a property named process', 'packages/base/src/a.ts', 'batch.process.start()'],
    ['a date made of an argument', 'packages/engine/src/a.ts', 'const a = new Date(now)'],
    ['SQL in a repo', 'apps/server/src/modules/apps/apps.repo.ts', 'db.selectFrom(x)'],
    ['SQL in the database room', 'apps/server/src/db/migrate.ts', 'pool.query(x)'],
    ['SQL in a test', 'apps/server/src/modules/apps/a.test.ts', 'pool.query(x)'],
  ])('accepts %s', (_name, file, text) => {
    expect(complaintsOf(file, text)).toEqual([])
  })
})
