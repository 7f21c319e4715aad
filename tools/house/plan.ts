import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands in house.json. */
export interface House {
  readonly places: Readonly<Record<string, PlaceRule>>
  /** Areas of the server's modules, ground floor first; a module may ask the floors below its own. */
  readonly moduleFloors: readonly (readonly string[])[]
  /** The engines that a module of the server runs. */
  readonly moduleEngines: Readonly<Record<string, readonly string[]>>
  readonly linesMax: number
  /** Statuses that the generated matrix and the tests of the shell prove for all endpoints at once. */
  readonly statusesProvenElsewhere: readonly number[]
}

export interface PlaceRule {
  /** An import leads to a lower number. */
  readonly floor: number
  /** Places it may import; `x/*` stands for every place below x. */
  readonly imports: readonly string[]
  readonly typesOnly?: readonly string[]
  /** May use `node:` modules; otherwise it also runs in a browser. */
  readonly node?: boolean
  /** May use the dependencies that its own package.json declares. */
  readonly thirdParty?: boolean
  /** False: time is an argument, the clock is never read. */
  readonly clock?: boolean
}

export interface Violation {
  readonly file: string
  readonly line?: number
  readonly text: string
}

export function readHouse(root: string): House {
  return JSON.parse(readFileSync(join(root, 'house.json'), 'utf8')) as House
}

/** The rule of a place; `server/modules/shield` is ruled by `server/modules/*`. */
export function ruleOf(house: House, place: string): PlaceRule | undefined {
  return house.places[place] ?? house.places[place.replace(/\/[^/]+$/, '/*')]
}

export function sentence({ file, line, text }: Violation): string {
  return `${file}${line === undefined ? '' : `:${line}`} ${text}`
}
