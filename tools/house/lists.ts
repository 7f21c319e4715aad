import { posix } from 'node:path'
import type { Violation } from './plan.ts'
import { takeApart } from './source-text.ts'
import type { Tree } from './tree.ts'

/** Lists that must name everything beside them: rules, checks and modules of the engines. */
const LIST = /^packages\/[^/]+\/src\/(rules|checks|modules)\/index\.ts$/
const DEFINES = /\bexport\s+const\s+(\w+)\s*=\s*define[A-Z]\w*\s*\(/

/** Every rule, check and module on disk is in its list; each list is alphabetical, its ids unique. */
export function checkLists(tree: Tree): readonly Violation[] {
  const violations: Violation[] = []
  for (const folder of listedFolders(tree)) {
    const index = `${folder}/index.ts`
    const text = tree.get(index)
    const members = membersOf(tree, folder)
    if (members.length === 0) continue
    if (text === undefined) {
      violations.push({ file: index, text: `is missing; it lists what stands in ${folder}` })
      continue
    }
    violations.push(...checkList(index, text, members))
    violations.push(...checkIds(members))
    violations.push(...checkCases(tree, members))
  }
  return violations
}

interface Member {
  readonly file: string
  readonly name: string
  readonly id: string | undefined
}

function listedFolders(tree: Tree): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of tree.keys()) {
    const folder = /^packages\/[^/]+\/src\/(rules|checks|modules)(?=\/)/.exec(path)?.[0]
    if (folder !== undefined || LIST.test(path)) folders.add(folder ?? posix.dirname(path))
  }
  return folders
}

function membersOf(tree: Tree, folder: string): readonly Member[] {
  return [...tree].flatMap(([file, text]) => {
    if (!file.startsWith(`${folder}/`) || /\.(test|cases)\.ts$/.test(file)) return []
    const { code } = takeApart(text)
    const name = DEFINES.exec(code)?.[1]
    const id = /\bid:\s*['"]([^'"]+)['"]/.exec(code)?.[1]
    return name === undefined ? [] : [{ file, name, id }]
  })
}

function checkList(index: string, text: string, members: readonly Member[]): readonly Violation[] {
  const listed = [...takeApart(text).bareCode.matchAll(/=\s*\[([^\]]*)\]/g)].map((match) =>
    (match[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  const all = new Set(listed.flat())
  const missing = members
    .filter(({ name }) => !all.has(name))
    .map(({ file, name }) => ({ file, text: `defines ${name}, which ${index} does not list` }))
  const unsorted = listed
    .filter((names) => names.some((name, at) => at > 0 && name < (names[at - 1] ?? '')))
    .map((names) => ({ file: index, text: `is not alphabetical: ${names.join(', ')}` }))
  return [...missing, ...unsorted]
}

function checkIds(members: readonly Member[]): readonly Violation[] {
  const owners = new Map<string, string>()
  return members.flatMap(({ file, id }) => {
    if (id === undefined) return []
    const owner = owners.get(id)
    owners.set(id, file)
    return owner === undefined ? [] : [{ file, text: `has the id ${id} of ${owner}` }]
  })
}

/** A rule or a check is proven by the cases beside it, a pentest module by its own test. */
function checkCases(tree: Tree, members: readonly Member[]): readonly Violation[] {
  return members.flatMap(({ file }) => {
    const suffix = file.includes('/modules/') ? '.test.ts' : '.cases.ts'
    const proof = file.replace(/\.ts$/, suffix)
    return tree.has(proof) ? [] : [{ file, text: `has no ${posix.basename(proof)} beside it` }]
  })
}

/** The server's list of modules names every folder under modules/. */
export function checkServerModules(tree: Tree): readonly Violation[] {
  const list = 'apps/server/src/modules.ts'
  const text = tree.get(list) ?? ''
  const areas = new Set(
    [...tree.keys()].flatMap(
      (path) => /^apps\/server\/src\/modules\/([^/]+)\//.exec(path)?.[1] ?? [],
    ),
  )
  return [...areas]
    .filter((area) => !text.includes(`./modules/${area}/index.ts`))
    .map((area) => ({ file: list, text: `does not list the module ${area}` }))
}
