import type { Command } from './command.ts'

/** Stands below the list of commands. */
export const programNotes = `
Results go to stdout, everything else to stderr. With --json the result is JSON.
Exit codes: 0 done, 1 it failed or the answer is no, 2 the command line is wrong.

Environment:
  MERLON_URL      the server (default http://127.0.0.1:4000)
  MERLON_API_KEY  an API key of the account
  MERLON_APP_KEY  the key of an app, for events ingest
  NO_COLOR        when set, nothing is coloured

Begin with:
  merlon login --url https://merlon.example.com
  merlon apps create Shop
  merlon events tail --app <id>

merlon <command> --help says more about each command.`

/** Stands below the options of one command. */
export function commandNotes({ details, examples = [] }: Command): string {
  const lines = examples.map((example) => `  merlon ${example}`)
  const parts = [
    ...(details === undefined ? [] : [details]),
    ...(lines.length === 0 ? [] : [`Examples:\n${lines.join('\n')}`]),
  ]
  return parts.map((part) => `\n${part}`).join('\n')
}
