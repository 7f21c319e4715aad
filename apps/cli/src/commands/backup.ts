import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineCommand, type Context } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode, Failure } from '../exit-code.ts'

const dataDir = {
  kind: 'text',
  value: 'folder',
  summary: 'the data directory (default: MERLON_DATA_DIR, or .merlon here)',
} as const

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy the embedded database and the instance secret into one file',
  arguments: ['file'],
  options: { 'data-dir': dataDir },
  run: async (context, { arguments: { file }, options }) => {
    const target = resolve(context.host.workDir, file)
    await runServer(context, ['backup', target], options['data-dir'])
    const { size } = await stat(target).catch(() => {
      throw new Failure(`The server reported success, but ${target} is not there.`)
    })
    context.out.result({ file: target, bytes: size }, () => `${target} (${size} bytes)`)
    return exitCode.ok
  },
})

export const restore = defineCommand({
  name: 'restore',
  summary: 'Put a backup into the data directory of a server that is not running',
  arguments: ['file'],
  options: {
    'data-dir': dataDir,
    force: { kind: 'flag', summary: 'move aside what is in the data directory now' },
    yes: { kind: 'flag', summary: 'do not ask' },
  },
  run: async (context, { arguments: { file }, options }) => {
    const source = resolve(context.host.workDir, file)
    await stat(source).catch(() => {
      throw new Failure(`${source} cannot be read.`)
    })
    if (options.force) {
      await confirm(context, 'The database in the data directory will be replaced.', options.yes)
    }
    const force = options.force ? ['--force'] : []
    await runServer(context, ['restore', source, ...force], options['data-dir'])
    context.out.result({ file: source, restored: true }, () => `Restored ${source}.`)
    return exitCode.ok
  },
})

/** The code that knows the database is the server's; it runs as a program of its own. */
async function runServer(
  { host }: Context,
  args: readonly string[],
  folder: string | undefined,
): Promise<void> {
  const program = join(host.programDir, 'server.mjs')
  await stat(program).catch(() => {
    throw new Failure(`${program} is missing. This command needs the server installed beside it.`)
  })
  const env = folder === undefined ? {} : { MERLON_DATA_DIR: resolve(host.workDir, folder) }
  const code = await host.runProgram(program, args, env)
  if (code !== 0) throw new Failure(`The ${args[0] ?? 'run'} failed; the lines above say why.`)
}
