import { createClient } from '@merlon/client'
import { keyKindOf } from '@merlon/base'
import { defineCommand, type Context } from '../command.ts'
import { configFilePath, writeConfigFile } from '../config-file.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { isSentInTheClear } from '../settings.ts'

export const login = defineCommand({
  name: 'login',
  summary: 'Check a key (--key, stdin or asked for) against a server and keep both',
  arguments: [],
  options: {},
  run: async (context) => {
    const { host, out, settings } = context
    const { url } = settings
    const apiKey = (settings.givenKey ?? (await keyFromPerson(context))).trim()
    requireAccountKey(apiKey)
    if (isSentInTheClear(url)) {
      out.say(`Warning: ${url} is plain HTTP, so the key can be read on its way.`)
    }
    const client = createClient({ baseUrl: url, apiKey, fetch: host.fetch })
    const { account } = await client.auth.me()
    const configFile = configFilePath(host)
    await writeConfigFile(configFile, { url, apiKey })
    out.result(
      { url, account: { id: account.id, name: account.name, role: account.role }, configFile },
      () => `Signed in to ${url} as ${account.name} (${account.role}).\nKept in ${configFile}.`,
    )
    return exitCode.ok
  },
})

async function keyFromPerson({ host }: Context): Promise<string> {
  if (host.stdinIsTty) return host.ask('API key: ', { secret: true })
  const [line = ''] = (await host.readStdin()).split('\n')
  if (line.trim() === '') {
    throw new UsageError('No API key came in. Give --key, or write the key to stdin.')
  }
  return line
}

/** The checksum tells a mistyped key here already, before it goes anywhere. */
function requireAccountKey(key: string): void {
  const kind = keyKindOf(key)
  if (kind === 'account') return
  throw new UsageError(
    kind === 'app'
      ? 'This is the key of an app. Signing in needs an API key of the account (mln_live_…).'
      : 'This is no API key: it begins with mln_live_ and ends in a checksum, which does not fit.',
  )
}
