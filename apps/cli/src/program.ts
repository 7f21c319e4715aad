import { Command as Commander, CommanderError } from 'commander'
import type { Command, RawInput } from './command.ts'
import { exitCode } from './exit-code.ts'
import { commandNotes, programNotes } from './help.ts'
import { commanderOption, optionValue } from './options.ts'

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
    .description('Merlon from the command line: apps, events, webhooks and who may use them.')
    .version(face.version)
    .exitOverride()
    .configureOutput({ writeOut: face.writeOut, writeErr: face.writeErr })
    .showHelpAfterError('(add --help for the ways to call this)')
  program.addHelpText('after', programNotes)
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
  const names = command.arguments.map((argument) => argument.replace(/\?$/, ''))
  for (const [i, argument] of command.arguments.entries()) {
    leaf.argument(argument.endsWith('?') ? `[${names[i]}]` : `<${argument}>`)
  }
  for (const [option, spec] of Object.entries(command.options)) {
    leaf.addOption(commanderOption(option, spec))
  }
  addGlobals(leaf)
  leaf.addHelpText('after', commandNotes(command))
  leaf.action(() => {
    const values: Record<string, unknown> = leaf.optsWithGlobals()
    const options = Object.entries(command.options).map(([option, spec]) => [
      option,
      optionValue(option, spec, values),
    ])
    const args = names.map((name, i) => [name, leaf.args[i]])
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
