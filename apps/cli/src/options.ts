import { Option } from 'commander'
import type { OptionSpec } from './command.ts'
import { UsageError } from './exit-code.ts'

/** How the program reads an option of this kind. */
export function commanderOption(name: string, spec: OptionSpec): Option {
  const value = spec.kind === 'flag' ? '' : ` <${spec.value ?? 'value'}>`
  const option = new Option(`--${name}${value}`, summaryOf(spec))
  const gather = (take: (text: string) => string) =>
    option.argParser((text: string, before?: readonly string[]) => [...(before ?? []), take(text)])
  switch (spec.kind) {
    case 'needed-text':
      return option.makeOptionMandatory(true)
    case 'number':
      return option.argParser((text) => numberOf(name, text))
    case 'count':
      return option.argParser((text) => countOf(name, text))
    case 'choice':
      return option.argParser((text) => choiceOf(name, text, spec.choices))
    case 'choices':
      return gather((text) => choiceOf(name, text, spec.choices))
    case 'texts':
      return gather((text) => text)
    case 'flag':
    case 'text':
      return option
  }
}

/** The value of one option among all that were read. */
export function optionValue(
  name: string,
  spec: OptionSpec,
  values: Readonly<Record<string, unknown>>,
): unknown {
  const value = values[camelCase(name)]
  if (spec.kind === 'flag') return value === true
  return isRepeated(spec) ? (value ?? []) : value
}

function isRepeated({ kind }: OptionSpec): boolean {
  return kind === 'texts' || kind === 'choices'
}

function summaryOf(spec: OptionSpec): string {
  const choices = 'choices' in spec ? `: ${spec.choices.join(', ')}` : ''
  const many = isRepeated(spec) ? '; may be given several times' : ''
  const needed = spec.kind === 'needed-text' ? ' (must be given)' : ''
  return `${spec.summary}${choices}${many}${needed}`
}

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new UsageError(`--${name} takes a number, not "${text}".`)
  }
  return value
}

function countOf(name: string, text: string): number {
  const value = numberOf(name, text)
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(`--${name} takes a whole number from 1, not "${text}".`)
  }
  return value
}

/** Upper and lower case are the same to a person who types. */
function choiceOf(name: string, text: string, choices: readonly string[]): string {
  const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase())
  if (found !== undefined) return found
  throw new UsageError(`--${name} is one of ${choices.join(', ')}, not "${text}".`)
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
