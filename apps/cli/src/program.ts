import { Command as Commander, CommanderError, Option } from 'commander'
import type { Command, OptionSpec, RawInput } from './command.ts'
import { exitCode, UsageError } from './exit-code.ts'

export interface Invocation {
  readonly command: Command
  readonly input: RawInput
  readonly globals: Globals
}

export interface Globals {
  readonly json: boolean
  readonly url: string | undefined
  readonly key: string | undefined
}

interface Face {
  readonly version: string
  readonly commands: readonly Command[]
  readonly groups: Readonly<Record<string, string>>
  readonly writeOut: (text: string) => void
  readonly writeErr: (text: string) => void
}

/** From a command line to the command it names, or to an exit code when help or an error is all. */
export async function parseCommandLine(
  args: readonly string[],
  face: Face,
): Promise<Invocation | number> {
  const found: Invocation[] = []
  const program = new Commander('merlon')
    .description('Merlon from the command line.')
    .version(face.version)
    .exitOverride()
    .configureOutput({ writeOut: face.writeOut, writeErr: face.writeErr })
    .showHelpAfterError('(add --help for the ways to call this)')
  addGlobals(program)
  const parents = new Map<string, Commander>()
  for (const command of face.commands) {
    const words = command.name.split(' ')
    const leafName = words.at(-1) ?? command.name
    const group = words.length > 1 ? words[0] : undefined
    let parent = program
    if (group !== undefined) {
      parent = parents.get(group) ?? program.command(group).description(face.groups[group] ?? '')
      parents.set(group, parent)
    }
    addCommand(parent, leafName, command, (invocation) => found.push(invocation))
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  }
  return found[0] ?? exitCode.usage
}

function addCommand(
  parent: Commander,
  name: string,
  command: Command,
  onFound: (invocation: Invocation) => void,
): void {
  const leaf = parent.command(name).description(command.summary).allowExcessArguments(false)
  for (const argument of command.arguments) leaf.argument(`<${argument}>`)
  for (const [option, spec] of Object.entries(command.options)) {
    leaf.addOption(commanderOption(option, spec))
  }
  addGlobals(leaf)
  leaf.action(() => {
    const values: Record<string, unknown> = leaf.optsWithGlobals()
    const options = Object.entries(command.options).map(([option, spec]) => [
      option,
      optionValue(spec, values[camelCase(option)]),
    ])
    const args = command.arguments.map((argument, i) => [argument, leaf.args[i] ?? ''])
    onFound({
      command,
      input: { arguments: Object.fromEntries(args), options: Object.fromEntries(options) },
      globals: {
        json: values.json === true,
        url: typeof values.url === 'string' ? values.url : undefined,
        key: typeof values.key === 'string' ? values.key : undefined,
      },
    })
  })
}

/** On the program and on each command, so that they may stand before or behind its name. */
function addGlobals(target: Commander): void {
  target.option('--json', 'print the result as JSON')
  target.option('--url <url>', 'the server (default: MERLON_URL, or what login kept)')
  target.option('--key <key>', 'the API key (default: MERLON_API_KEY, or what login kept)')
}

function commanderOption(name: string, spec: OptionSpec): Option {
  const value = spec.kind === 'flag' ? '' : ` <${spec.value ?? 'value'}>`
  const option = new Option(`--${name}${value}`, spec.summary)
  if (spec.kind === 'texts') {
    option.default([]).argParser((text: string, before: readonly string[]) => [...before, text])
  }
  if (spec.kind === 'number') option.argParser((text: string) => numberOf(name, text))
  return option
}

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new UsageError(`--${name} takes a number, not "${text}".`)
  }
  return value
}

function optionValue(spec: OptionSpec, value: unknown): unknown {
  if (spec.kind === 'flag') return value === true
  return value
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
