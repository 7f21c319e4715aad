/** One name in the spellings that files, values, components and sentences use. */
export interface Name {
  readonly kebab: string
  readonly camel: string
  readonly pascal: string
  readonly constant: string
  readonly words: string
}

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

export function parseName(text: string): Name {
  if (!KEBAB.test(text)) throw new Error(`"${text}" must be written in lower-case-with-dashes`)
  const words = text.split('-')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return {
    kebab: text,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    constant: words.join('_').toUpperCase(),
    words: words.join(' '),
  }
}

/** `sql/stacked-query`: where it belongs, and what it is called. */
export function parsePlacedName(text: string): { readonly area: Name; readonly name: Name } {
  const [area = '', name = '', ...rest] = text.split('/')
  if (name === '' || rest.length > 0) throw new Error(`"${text}" must look like area/name`)
  return { area: parseName(area), name: parseName(name) }
}
