import type { House } from './plan.ts'

/** `source` is what ships; `test` and `testing` prove it; `outside` stands around the house. */
export type Kind = 'source' | 'test' | 'testing' | 'outside'

export interface Place {
  /** The key in house.json, such as `base` or `server/modules/shield`. */
  readonly name: string
  /** The folder with the package.json, such as `packages/base`; the top folder for the outside. */
  readonly workspace: string
  readonly kind: Kind
}

const TEST = /\.(test|cases|e2e|bench)\.tsx?$/

/** Where a file stands. Tests, benchmarks and tools stand outside: they may look at everything. */
export function placeOf(house: House, path: string): Place {
  const [top = '', name = '', ...rest] = path.split('/')
  if (top !== 'packages' && top !== 'apps') return { name: top, workspace: top, kind: 'outside' }
  const workspace = `${top}/${name}`
  if (rest[0] === 'testing') return { name, workspace, kind: 'testing' }
  const kind = TEST.test(path) ? 'test' : 'source'
  return { name: [name, ...roomOf(house, name, rest)].join('/'), workspace, kind }
}

function roomOf(house: House, name: string, rest: readonly string[]): readonly string[] {
  const inner = rest[0] === 'src' ? rest.slice(1) : rest
  const first = (inner[0] ?? '').replace(/(\.test)?\.tsx?$/, '')
  const rooms = Object.keys(house.places).filter((key) => key.startsWith(`${name}/`))
  if (rooms.includes(`${name}/${first}/*`) && inner.length > 2) return [first, inner[1] ?? '']
  if (rooms.includes(`${name}/${first}`)) return [first]
  // A house with rooms has no folder beside them; a package without rooms may have any.
  const hasRooms = rooms.some((key) => key !== `${name}/node`)
  return hasRooms && inner.length > 1 ? [first] : []
}

/** A module has a door of its own: others enter through its index.ts. */
export function faceOf(place: Place): string | undefined {
  const [app, group, area] = place.name.split('/')
  if (group !== 'modules' || area === undefined) return undefined
  return `apps/${app}/src/${group}/${area}/index.ts`
}
