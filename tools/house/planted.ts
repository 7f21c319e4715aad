import type { House } from './plan.ts'
import type { Manifests, Tree } from './tree.ts'

/** A small house for the tests of the walkers: planted faults show that they can fail. */
export const plantedHouse: House = {
  places: {
    base: { floor: 1, imports: [] },
    engine: { floor: 2, imports: ['base'], clock: false },
    'engine/node': { floor: 3, imports: ['engine'], node: true, thirdParty: true },
    sdk: { floor: 3, imports: ['engine'], typesOnly: ['base'] },
    'server/db': { floor: 4, imports: ['base'], node: true, thirdParty: true },
    'server/http': { floor: 5, imports: ['server/db', 'base'], node: true, thirdParty: true },
    'server/modules/*': { floor: 6, imports: ['server/http', 'server/db'], node: true },
    server: { floor: 9, imports: ['server/*', 'base'], node: true, thirdParty: true },
  },
  moduleFloors: [['apps', 'events'], ['shield']],
  moduleEngines: { shield: ['engine'] },
  linesMax: 400,
  statusesProvenElsewhere: [401, 403, 429],
}

export const plantedManifests: Manifests = new Map([
  ['', { name: 'house', devDependencies: { vitest: '1' } }],
  ['packages/base', { name: '@merlon/base', exports: './src/index.ts' }],
  [
    'packages/engine',
    {
      name: '@merlon/engine',
      exports: { '.': './src/index.ts', './node': './src/node/index.ts' },
      dependencies: { undici: '1' },
    },
  ],
  ['packages/sdk', { name: '@merlon/sdk', exports: './src/index.ts' }],
  ['apps/server', { name: '@merlon/server', dependencies: { fastify: '1' } }],
])

export function treeOf(files: Readonly<Record<string, string>>): Tree {
  return new Map(Object.entries(files))
}
