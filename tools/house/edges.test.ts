import { describe, expect, it } from 'vitest'
import { surveyImports } from './edges.ts'
import { plantedHouse, plantedManifests, treeOf } from './planted.ts'

function complaintsOf(file: string, text: string): readonly string[] {
  const { violations } = surveyImports(treeOf({ [file]: text }), plantedManifests, plantedHouse)
  return violations.map((violation) => violation.text)
}

const MODULES = 'apps/server/src/modules'

describe('surveyImports refuses', () => {
  it.each([
    ['an upward import', 'packages/base/src/a.ts', '@merlon/engine', 'does not allow'],
    ['a second face seen from its engine', 'packages/engine/src/a.ts', './node/b.ts', 'not allow'],
    ['a deep import', 'packages/engine/src/a.ts', '@merlon/base/src/ids.ts', 'no package.json'],
    [
      'a reach into another package',
      'packages/engine/src/a.ts',
      '../../base/src/a.ts',
      'package name',
    ],
    ['node in a pure package', 'packages/engine/src/a.ts', 'node:fs', 'browser'],
    ['a dependency of a pure package', 'packages/engine/src/a.ts', 'undici', 'no dependency'],
    ['an undeclared dependency', 'apps/server/src/http/a.ts', 'undici', 'does not declare'],
    ['a value where types alone are allowed', 'packages/sdk/src/a.ts', '@merlon/base', 'not allow'],
    ['a room that looks up', 'apps/server/src/db/a.ts', '../http/b.ts', 'does not allow'],
    ['a room that looks at the roof', 'apps/server/src/http/a.ts', '../app.ts', 'does not allow'],
    ['a module on the same floor', `${MODULES}/apps/a.ts`, '../events/index.ts', 'does not allow'],
    ['a module on a higher floor', `${MODULES}/apps/a.ts`, '../shield/index.ts', 'does not allow'],
    ['the inside of a lower module', `${MODULES}/shield/a.ts`, '../apps/b.ts', 'reaches past'],
    [
      'the inside of a module from the roof',
      'apps/server/src/app.ts',
      './modules/apps/b.ts',
      'past',
    ],
    ['an engine of another module', `${MODULES}/apps/a.ts`, '@merlon/engine', 'does not allow'],
    ['testing code in a source', 'apps/server/src/app.ts', '../testing/a.ts', 'only tests'],
    ['a test in a source', 'packages/base/src/a.ts', './a.test.ts', 'only tests'],
    ['a test that looks up', 'packages/base/src/a.test.ts', '@merlon/engine', 'does not allow'],
  ])('%s', (_name, file, specifier, expected) => {
    const complaints = complaintsOf(file, `import { x } from '${specifier}'`)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain(expected)
  })

  it('a folder that house.json does not know', () => {
    expect(complaintsOf('apps/server/src/misc/a.ts', '')[0]).toContain('has no place')
  })
})

describe('surveyImports allows', () => {
  it.each([
    ['a lower floor', 'packages/engine/src/a.ts', `import { x } from '@merlon/base'`],
    ['the own package', 'packages/engine/src/a.ts', `import { x } from './deep/b.ts'`],
    [
      'types where types alone are allowed',
      'packages/sdk/src/a.ts',
      `import type { X } from '@merlon/base'`,
    ],
    [
      'a second face its own engine',
      'packages/engine/src/node/a.ts',
      `import { x } from '../scan.ts'`,
    ],
    ['a declared dependency', 'packages/engine/src/node/a.ts', `import { x } from 'undici'`],
    [
      'the face of a lower module',
      `${MODULES}/shield/a.ts`,
      `import { x } from '../apps/index.ts'`,
    ],
    ['a module its engine', `${MODULES}/shield/a.ts`, `import { x } from '@merlon/engine'`],
    [
      'the roof every face',
      'apps/server/src/app.ts',
      `import { x } from './modules/apps/index.ts'`,
    ],
    ['a test vitest', 'packages/base/src/a.test.ts', `import { it } from 'vitest'`],
    ['a test node', 'packages/base/src/a.test.ts', `import 'node:fs'`],
    [
      'a test its testing code',
      `${MODULES}/apps/a.test.ts`,
      `import { x } from '../../../testing/h.ts'`,
    ],
    [
      'testing code the inside of its app',
      'apps/server/testing/h.ts',
      `import '../src/modules/apps/b.ts'`,
    ],
    ['the tests outside everything', 'tests/e2e/a.e2e.ts', `import '../../apps/server/src/app.ts'`],
  ])('%s', (_name, file, text) => {
    expect(complaintsOf(file, text)).toEqual([])
  })
})
