import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { app, user, yes } from './shared-options.ts'

export const eventsExport = defineCommand({
  name: 'events export',
  summary: 'Write every event of one of your users to stdout, as JSON lines',
  details:
    'For a request to see what is stored. Exit code 1 means that the output is not complete.',
  examples: ['events export --app app_01J… --user u-42 > u-42.jsonl'],
  arguments: [],
  options: { app, user },
  run: async ({ client, host }, { options }) => {
    const query = { appId: options.app, userId: options.user }
    for await (const piece of client().exportUser(query)) host.writeOut(piece)
    return exitCode.ok
  },
})

export const eventsErase = defineCommand({
  name: 'events erase',
  summary: 'Erase every event of one of your users, for good',
  examples: ['events erase --app app_01J… --user u-42 --yes'],
  arguments: [],
  options: { app, user, yes },
  run: async (context, { options }) => {
    const question = `Every event of the user ${options.user} will be erased for good.`
    await confirm(context, question, options.yes)
    const { erased } = await context.client().events.eraseUser({
      body: { appId: options.app, userId: options.user },
    })
    context.out.result({ erased }, () => `Erased ${counted(erased, 'event')}.`)
    return exitCode.ok
  },
})
