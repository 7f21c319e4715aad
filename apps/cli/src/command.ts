import type { Client } from '@merlon/client'
import type { Host } from './host.ts'
import type { Output } from './output/output.ts'
import type { Settings } from './settings.ts'

interface OptionFacts {
  readonly summary: string
  /** What stands for the value in the help text. */
  readonly value?: string
}

export type OptionSpec = OptionFacts &
  (
    | { readonly kind: 'flag' }
    | { readonly kind: 'text' }
    | { readonly kind: 'needed-text' }
    | { readonly kind: 'texts' }
    | { readonly kind: 'number' }
    /** A whole number from 1. */
    | { readonly kind: 'count' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'choices'; readonly choices: readonly string[] }
  )

type ChoiceOf<S> = S extends { readonly choices: readonly (infer Word)[] } ? Word : never

interface OptionValues<S> {
  readonly flag: boolean
  readonly text: string | undefined
  readonly 'needed-text': string
  readonly texts: readonly string[]
  readonly number: number | undefined
  readonly count: number | undefined
  readonly choice: ChoiceOf<S> | undefined
  readonly choices: readonly ChoiceOf<S>[]
}

export type OptionsOf<O extends Readonly<Record<string, OptionSpec>>> = {
  readonly [Name in keyof O]: OptionValues<O[Name]>[O[Name]['kind']]
}

/** `id` must be given, `file?` may be left out. */
type ArgumentsOf<A extends readonly string[]> = {
  readonly [
    Name in A[number] as Name extends `${infer Bare}?` ? Bare : Name
  ]: Name extends `${string}?` ? string | undefined : string
}

export interface Context {
  readonly host: Host
  readonly out: Output
  readonly settings: Settings
  /** Made on first use: a command that needs no server must not ask for a key. */
  readonly client: () => Client
}

export interface CommandSpec<
  A extends readonly string[] = readonly string[],
  O extends Readonly<Record<string, OptionSpec>> = Readonly<Record<string, OptionSpec>>,
> {
  /** One or two words: `doctor`, `apps list`. */
  readonly name: string
  readonly summary: string
  /** What the summary has no room for, in the command's own help. */
  readonly details?: string
  /** Command lines without the leading `merlon`. */
  readonly examples?: readonly string[]
  readonly arguments: A
  readonly options: O
  readonly run: (
    context: Context,
    input: {
      readonly arguments: ArgumentsOf<A>
      readonly options: OptionsOf<O>
    },
  ) => Promise<number>
}

/** A command as the program lists it, with its own types folded away. */
export interface Command extends Omit<CommandSpec, 'run'> {
  readonly run: (context: Context, input: RawInput) => Promise<number>
}

export interface RawInput {
  readonly arguments: Readonly<Record<string, string | undefined>>
  readonly options: Readonly<Record<string, unknown>>
}

export function defineCommand<
  const A extends readonly string[],
  const O extends Readonly<Record<string, OptionSpec>>,
>(spec: CommandSpec<A, O>): Command {
  return {
    ...spec,
    // The program reads arguments and options by this very spec, so they have its types.
    run: async (context, input) => spec.run(context, input as Parameters<typeof spec.run>[1]),
  }
}
