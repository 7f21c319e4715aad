import type { Blueprint, Read } from './blueprint.ts'
import { withListed } from './edit-source.ts'
import { parsePlacedName } from './names.ts'

const SOURCE = 'packages/scanner/src'
const KINDS = ['secrets', 'iac', 'code']

/** `npm run new scanner-rule secrets/stripe-key` */
export function planScannerRule(text: string, read: Read): Blueprint {
  const { area, name } = parsePlacedName(text)
  if (!KINDS.includes(area.kebab)) {
    throw new Error(`A scanner rule belongs to ${KINDS.join(', ')}, not to ${area.kebab}`)
  }
  const folder = `${SOURCE}/rules/${area.kebab}`
  const list = `${SOURCE}/rules/index.ts`
  const before = read(list) ?? emptyList
  const rule = `import { defineRule } from '../../rule.ts'

const ${name.constant} = /\\b${name.kebab.replaceAll('-', '_')}_[a-z0-9]{16,64}\\b/

export const ${name.camel} = defineRule({
  id: '${area.kebab}-${name.kebab}',
  category: '${area.kebab}',
  severity: 'HIGH',
  cvss: 7.5,
  title: 'A ${name.words} in the source',
  why: 'What somebody who reads the repository gains by it.',
  remediation: 'What to do about it, as a command to the reader.',
  hints: ['${name.kebab.replaceAll('-', '_')}_'],
  match: (line) => ${name.constant}.exec(line),
})
`
  const cases = `import { cases } from '../../rule.ts'

/** Put together here, so that no live-looking value stands in the repository. */
const fake = (body: string) => ['${name.kebab.replaceAll('-', '_')}', body].join('_')

export default cases({
  hits: [fake('a1b2c3d4e5f6a7b8'), \`key = "\${fake('0123456789abcdef')}"\`, fake('z'.repeat(64))],
  passes: [
    [fake('short'), 'too short for a value'],
    ['const key = readKey()', 'no value at all'],
    [fake('A1B2C3D4E5F6A7B8'), 'another alphabet'],
  ],
})
`
  return {
    create: { [`${folder}/${name.kebab}.ts`]: rule, [`${folder}/${name.kebab}.cases.ts`]: cases },
    share: { [`${SOURCE}/rule.ts`]: foundation },
    change: { [list]: withListed(before, name.camel, `./${area.kebab}/${name.kebab}.ts`) },
    next: ['Write the pattern, the remediation and at least three cases of each kind.'],
  }
}

const emptyList = `import type { Rule } from '../rule.ts'

/** Every rule, by name. */
export const rules: readonly Rule[] = []
`

const foundation = `export interface Rule {
  readonly id: string
  readonly category: 'secrets' | 'iac' | 'code'
  readonly severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
  readonly cvss: number
  readonly title: string
  readonly why: string
  readonly remediation: string
  /** A value of lower entropy than this, in bits per character, is no secret. */
  readonly entropyMin?: number
  readonly hints: readonly string[]
  readonly match: (line: string) => RegExpExecArray | null
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
