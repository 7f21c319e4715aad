import { severities } from '@merlon/base'
import type { Drop } from '@merlon/client'
import { defineCommand, type Context } from '../command.ts'
import { createEventFilter } from '../event-filter.ts'
import { exitCode } from '../exit-code.ts'
import { eventLine } from '../output/event-line.ts'
import { app } from './shared-options.ts'

export const eventsTail = defineCommand({
  name: 'events tail',
  summary: 'Show the events of an app as they happen, until Ctrl-C',
  details:
    'After a broken connection it comes back by itself and goes on behind the last event shown.\n' +
    'With --json each event is one line of JSON.',
  examples: [
    'events tail --app app_01J…',
    `events tail --app app_01J… --type 'auth.*' --severity HIGH --severity CRITICAL`,
    'events tail --app app_01J… --json --max 10 | jq .title',
  ],
  arguments: [],
  options: {
    app,
    type: { kind: 'texts', value: 'type', summary: 'only this type; * stands for any text' },
    severity: {
      kind: 'choices',
      value: 'severity',
      choices: severities,
      summary: 'only this severity',
    },
    max: { kind: 'count', value: 'count', summary: 'end after so many events' },
  },
  run: async (context, { options }) => {
    const { client, host, out } = context
    const isWanted = createEventFilter(options.type, options.severity)
    const follow = client().followEvents({
      appId: options.app,
      signal: host.stopSignal(),
      ...announce(context),
    })
    let left = options.max ?? Infinity
    for await (const events of follow) {
      for (const event of events) {
        if (!isWanted(event)) continue
        out.line(event, () => eventLine(event, out.paint))
        if (--left === 0) return exitCode.ok
      }
    }
    return exitCode.ok
  },
})

/** How the connection fares, on stderr, so that silence on stdout can be understood. */
function announce({ out }: Context) {
  let connections = 0
  return {
    onConnected: () =>
      out.say(connections++ === 0 ? 'Connected; waiting for events.' : 'Connected again.'),
    onDrop: ({ error, waitMs, isGapless }: Drop) => {
      const why = error instanceof Error ? error.message : 'The server ended the stream.'
      const gap = isGapless ? '' : ' Events that happen meanwhile are not shown.'
      out.say(`${why} Trying again in ${Math.ceil(waitMs / 1000)} s.${gap}`)
    },
  }
}
