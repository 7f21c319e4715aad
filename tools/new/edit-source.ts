import { takeApart } from '../house/source-text.ts'

/** Adds names to the import of `from`, or a new import at the top. */
export function withImport(text: string, names: readonly string[], from: string): string {
  const statement = new RegExp(
    String.raw`^import \{([^}]*)\} from '${from.replaceAll('.', String.raw`\.`)}'`,
    'm',
  ).exec(text)
  if (statement === null) return `import { ${names.join(', ')} } from '${from}'\n${text}`
  const present = (statement[1] ?? '').split(',').map((name) => name.trim())
  const all = [...new Set([...present, ...names])].filter((name) => name !== '')
  const [found] = statement
  return text.replace(found, `import { ${all.toSorted().join(', ')} } from '${from}'`)
}

/** Adds `entry` as the last one of the object that `export const <name> = {` opens. */
export function withEntry(text: string, name: string, entry: string): string {
  const { bareCode } = takeApart(text)
  const opening = new RegExp(String.raw`\bexport const ${name}\s*=\s*\{`).exec(bareCode)
  if (opening === null) throw new Error(`There is no "export const ${name} = {" to add to`)
  let depth = 0
  for (let index = opening.index + opening[0].length - 1; index < bareCode.length; index += 1) {
    if (bareCode.charAt(index) === '{') depth += 1
    if (bareCode.charAt(index) === '}') depth -= 1
    if (depth === 0) return `${text.slice(0, index)}${entry}${text.slice(index)}`
  }
  throw new Error(`The object ${name} has no end`)
}

/** Adds a name to the list behind `before`, in its alphabetical place, with its import. */
export function withListed(text: string, name: string, from: string, before = '='): string {
  const list = new RegExp(String.raw`${before}\s*\[([^\]]*)\]`).exec(text)
  if (list === null) throw new Error(`There is no list behind "${before}" to add to`)
  const names = (list[1] ?? '').split(',').map((item) => item.trim())
  const all = [...names, name].filter((item) => item !== '').toSorted()
  return withImport(text.replace(list[0], `${before} [${all.join(', ')}]`), [name], from)
}
