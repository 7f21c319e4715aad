import type { Context } from './command.ts'
import { Failure, UsageError } from './exit-code.ts'

/** Goes on after --yes or a person's word. A script that says neither gets an error, never a prompt. */
export async function confirm(
  { host }: Context,
  question: string,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed) return
  if (!host.stdinIsTty) {
    throw new UsageError(`${question} Nobody is here to answer; add --yes to go on.`)
  }
  const answer = await host.ask(`${question} Type yes to go on: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new Failure('Nothing was changed.')
}
