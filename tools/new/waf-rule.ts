import type { Blueprint, Read } from './blueprint.ts'
import { withListed } from './edit-source.ts'
import { parsePlacedName } from './names.ts'

const SOURCE = 'packages/shield/src'

/** `npm run new rule sql/stacked-query` */
export function planWafRule(text: string, read: Read): Blueprint {
  const { area: family, name } = parsePlacedName(text)
  const folder = `${SOURCE}/rules/${family.kebab}`
  const list = `${SOURCE}/rules/index.ts`
  const before = read(list) ?? emptyList
  const rule = `import { defineRule } from '../../rule.ts'

const ${name.constant} = /\\b${name.words.replaceAll(' ', '[ _-]')}\\b/i

export const ${name.camel} = defineRule({
  id: '${family.kebab}-${name.kebab}',
  family: '${family.kebab.replaceAll('-', '_')}',
  severity: 'MEDIUM',
  title: 'A request that says ${name.words}',
  why: 'What an attacker gains by it, in one sentence.',
  looksAt: ['path', 'query', 'body'],
  // Without one of these words in the text, match() never runs.
  hints: ['${name.words.split(' ')[0] ?? name.words}'],
  match: (text) => ${name.constant}.exec(text),
})
`
  const cases = `import { cases } from '../../rule.ts'

export default cases({
  hits: ['${name.words}', 'x ${name.words} y', '${name.words.toUpperCase()}'],
  passes: [
    ['an ordinary sentence', 'prose'],
    ['id=42', 'a plain parameter'],
    ['${name.words.replaceAll(' ', '')}ing', 'a longer word'],
  ],
})
`
  return {
    create: { [`${folder}/${name.kebab}.ts`]: rule, [`${folder}/${name.kebab}.cases.ts`]: cases },
    share: { [`${SOURCE}/rule.ts`]: foundation },
    change: { [list]: withListed(before, name.camel, `./${family.kebab}/${name.kebab}.ts`) },
    next: ['Write the pattern, the reason and at least three cases of each kind.'],
  }
}

const emptyList = `import type { Rule } from '../rule.ts'

/** Every rule, by name. */
export const rules: readonly Rule[] = []
`

const foundation = `export interface Rule {
  readonly id: string
  readonly family: string
  readonly severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
  readonly title: string
  /** What an attacker gains. */
  readonly why: string
  readonly looksAt: readonly ('path' | 'query' | 'headers' | 'cookies' | 'body')[]
  /** A cheap filter: a text without any of these words is not matched at all. */
  readonly hints: readonly string[]
  readonly match: (text: string) => RegExpExecArray | null
}

export interface Cases {
  readonly hits: readonly string[]
  /** Each with the reason why it must pass. */
  readonly passes: readonly (readonly [text: string, reason: string])[]
}

export function defineRule(rule: Rule): Rule {
  return rule
}

export function cases(all: Cases): Cases {
  return all
}
`
