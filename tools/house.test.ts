import { endpoints } from '@merlon/contract'
import { describe, expect, it } from 'vitest'
import { findCycles, graphOf } from './house/cycles.ts'
import { floorOf, surveyImports } from './house/edges.ts'
import { checkEndpoints } from './house/endpoints.ts'
import { checkLists, checkServerModules } from './house/lists.ts'
import { placeOf } from './house/places.ts'
import { readHouse, ruleOf, sentence, type Violation } from './house/plan.ts'
import { checkTexts } from './house/text-rules.ts'
import { readManifests, readTree } from './house/tree.ts'
import { root } from './root.mjs'

/**
 * The structure of the whole repository, compared with house.json. There is no list of tolerated
 * violations: what this test refuses is mended, or house.json changes together with its reason.
 */
const house = readHouse(root)
const tree = readTree(root)
const { edges, violations } = surveyImports(tree, readManifests(root), house)

function expectNone(found: readonly Violation[]) {
  expect(found.map(sentence)).toEqual([])
}

describe('the plan', () => {
  it('lets every import lead to a lower floor', () => {
    const upward = Object.entries(house.places).flatMap(([name, { floor, imports }]) =>
      imports
        .filter((target) => !target.endsWith('/*'))
        .filter((target) => (ruleOf(house, target)?.floor ?? Infinity) >= floor)
        .map((target) => `${name} -> ${target}`),
    )
    expect(upward).toEqual([])
  })

  it('gives every module of the server a floor', () => {
    const areas = [...tree.keys()].flatMap(
      (path) => /^apps\/server\/src\/modules\/([^/]+)\//.exec(path)?.[1] ?? [],
    )
    expect([...new Set(areas)].filter((area) => floorOf(house, area) === -1)).toEqual([])
  })
})

describe('the imports', () => {
  it('are all allowed by house.json', () => {
    expectNone(violations)
  })

  it('lead to files that exist', () => {
    const isOurs = (path: string) => /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith('dist/')
    const broken = edges.filter(({ to }) => isOurs(to) && !tree.has(to))
    expect(broken.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('run in no circle between files', () => {
    const values = edges.filter(({ typeOnly }) => !typeOnly)
    expect(findCycles(graphOf(values.map(({ from, to }) => [from, to])))).toEqual([])
  })

  it('run in no circle between places, types included', () => {
    const sources = edges.filter(({ from }) => placeOf(house, from).kind === 'source')
    const steps = sources.map(
      ({ from, to }) => [placeOf(house, from).name, placeOf(house, to).name] as const,
    )
    expect(findCycles(graphOf(steps))).toEqual([])
  })
})

describe('the sources', () => {
  it('are short, finished, and keep `process`, the clock and SQL where they belong', () => {
    expectNone(checkTexts(tree, house))
  })

  it('list every rule, check and module that is on disk', () => {
    expectNone([...checkLists(tree), ...checkServerModules(tree)])
  })
})

describe('the endpoints', () => {
  it('are each implemented once, with a test of every status', () => {
    expectNone(checkEndpoints(tree, endpoints, house))
  })
})
