import { ApiError, createClient } from '@merlon/client'
import type { Context } from './command.ts'
import { commands, groups } from './commands/index.ts'
import { configFilePath, readConfigFile } from './config-file.ts'
import { exitCode, Failure, UsageError } from './exit-code.ts'
import type { Host } from './host.ts'
import { createOutput, type Output } from './output/output.ts'
import { parseCommandLine, type Invocation } from './program.ts'
import { resolveSettings, type Settings } from './settings.ts'

export const VERSION = '0.1.0'

/** Runs one command line and answers with the exit code. */
export async function runCli(args: readonly string[], host: Host): Promise<number> {
  const { writeOut, writeErr } = host
  // Before the command line is understood, only the words themselves can tell.
  let out = createOutput(host, args.includes('--json'))
  try {
    const invocation = await parseCommandLine(args, {
      version: VERSION,
      commands,
      groups,
      writeOut,
      writeErr,
    })
    if (typeof invocation === 'number') return invocation
    out = createOutput(host, invocation.globals.json)
    return await run(invocation, host, out)
  } catch (error) {
    return report(error, out)
  }
}

async function run({ command, input, globals }: Invocation, host: Host, out: Output) {
  const stored = await readConfigFile(configFilePath(host))
  const settings = resolveSettings(stored, host.env, globals)
  const context: Context = {
    host,
    out,
    settings,
    client: () => {
      const { fetch, wait } = host
      return createClient({ baseUrl: settings.url, apiKey: requireKey(settings), fetch, wait })
    },
  }
  return command.run(context, input)
}

function requireKey({ url, apiKey, keyIsForAnotherServer }: Settings): string {
  if (apiKey !== undefined) return apiKey
  throw new UsageError(
    keyIsForAnotherServer === undefined
      ? 'There is no API key. Run `merlon login`, set MERLON_API_KEY, or give --key.'
      : `The stored key belongs to ${keyIsForAnotherServer} and is not sent to ${url}. Give --key.`,
  )
}

/** Every way to fail ends here; only a bug of ours is thrown on, with its stack. */
function report(error: unknown, out: Output): number {
  if (error instanceof ApiError) {
    const { status, requestId } = error
    const trace = out.json || requestId === undefined ? '' : ` (request ${requestId})`
    out.fail(`${error.message}${trace}`, { status, requestId })
    return exitCode.failed
  }
  if (error instanceof UsageError) {
    out.fail(error.message)
    return exitCode.usage
  }
  if (error instanceof Failure) {
    out.fail(error.message)
    return exitCode.failed
  }
  throw error
}
