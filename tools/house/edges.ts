import { listImports } from './imports.ts'
import { faceOf, placeOf, type Place } from './places.ts'
import { ruleOf, type House, type PlaceRule, type Violation } from './plan.ts'
import { resolve, type Target } from './resolve.ts'
import type { Manifests, Tree } from './tree.ts'

/** One import from one file to another, both of this repository. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

export interface Survey {
  readonly edges: readonly Edge[]
  readonly violations: readonly Violation[]
}

interface Sight {
  readonly house: House
  readonly manifests: Manifests
  readonly place: Place
  readonly rule: PlaceRule
}

/** Walks every import of the tree and compares it with house.json. */
export function surveyImports(tree: Tree, manifests: Manifests, house: House): Survey {
  const edges: Edge[] = []
  const violations: Violation[] = []
  for (const [file, text] of tree) {
    const place = placeOf(house, file)
    const rule = ruleOf(house, place.name)
    if (rule === undefined && place.kind !== 'outside') {
      violations.push({ file, text: `stands in ${place.name}, which has no place in house.json` })
      continue
    }
    for (const { specifier, typeOnly, line } of listImports(text)) {
      const target = resolve(file, specifier, manifests)
      if (target.kind === 'file') edges.push({ from: file, to: target.path, typeOnly })
      if (rule === undefined) continue
      const complaint = complain({ house, manifests, place, rule }, target, typeOnly)
      if (complaint !== undefined) violations.push({ file, line, text: complaint })
    }
  }
  return { edges, violations }
}

function complain(sight: Sight, target: Target, typeOnly: boolean): string | undefined {
  const { place, rule } = sight
  switch (target.kind) {
    case 'no-face':
      return `imports ${target.name}, which no package.json exports`
    case 'node': {
      if (place.kind !== 'source' || rule.node === true) return undefined
      return `imports ${target.module}, but ${place.name} also runs in a browser`
    }
    case 'third-party':
      return complainOfDependency(sight, target.name)
    case 'file':
      return complainOfFile(sight, target.path, target.relative, typeOnly)
  }
}

/** A test may also use what the root declares for development, such as vitest. */
function complainOfDependency({ place, rule, manifests }: Sight, name: string) {
  if (place.kind !== 'source' && name in (manifests.get('')?.devDependencies ?? {})) {
    return undefined
  }
  if (rule.thirdParty !== true) return `imports ${name}, but ${place.name} has no dependency`
  const declared = manifests.get(place.workspace)?.dependencies ?? {}
  if (name in declared || `@types/${name}` in declared) return undefined
  return `imports ${name}, which ${place.workspace}/package.json does not declare`
}

function complainOfFile(sight: Sight, path: string, relative: boolean, typeOnly: boolean) {
  const { place, house } = sight
  const target = placeOf(house, path)
  if (place.kind === 'source' && target.kind !== 'source') {
    return `imports ${path}, which only tests may import`
  }
  if (relative && target.workspace !== place.workspace) {
    return `reaches into ${path}; another workspace is entered through its package name`
  }
  if (target.name === place.name) return undefined
  if (place.kind === 'testing' && target.workspace === place.workspace) return undefined
  const face = faceOf(target)
  if (face !== undefined && path !== face) return `reaches past ${face} into ${path}`
  if (place.kind === 'test' && target.workspace === place.workspace) return undefined
  if (maySee(sight, target.name, typeOnly)) return undefined
  return `imports ${target.name}, which house.json does not allow for ${place.name}`
}

function maySee({ house, place, rule }: Sight, target: string, typeOnly: boolean): boolean {
  const allowed = typeOnly ? [...rule.imports, ...(rule.typesOnly ?? [])] : rule.imports
  if (allowed.some((name) => covers(name, target))) return true
  const area = /^server\/modules\/(.+)$/.exec(place.name)?.[1]
  if (area === undefined) return false
  if (house.moduleEngines[area]?.includes(target) === true) return true
  const other = /^server\/modules\/(.+)$/.exec(target)?.[1]
  const floor = floorOf(house, area)
  const otherFloor = other === undefined ? -1 : floorOf(house, other)
  return otherFloor !== -1 && otherFloor < floor
}

function covers(name: string, target: string): boolean {
  return name === target || (name.endsWith('/*') && target.startsWith(name.slice(0, -1)))
}

/** The floor of a module's area, -1 for an area that house.json does not know. */
export function floorOf(house: House, area: string): number {
  return house.moduleFloors.findIndex((floor) => floor.includes(area))
}
