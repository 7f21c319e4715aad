import { createKey, keyHint } from '@merlon/base'
import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode } from '../exit-code.ts'
import { formatFacts, formatTable } from '../output/table.ts'
import { isoTime } from '../time.ts'

export const keysList = defineCommand({
  name: 'keys list',
  summary: 'List the API keys of the account',
  arguments: [],
  options: {},
  run: async ({ client, out }) => {
    const keys = await client().keys.listKeys()
    out.result(keys, () =>
      formatTable(
        ['id', 'name', 'begins with', 'last used', 'expires'],
        keys.map((key) => [
          key.id,
          key.name,
          key.hint,
          key.lastUsedAt ?? 'never',
          key.expiresAt ?? 'never',
        ]),
      ),
    )
    return exitCode.ok
  },
})

export const keysCreate = defineCommand({
  name: 'keys create',
  summary: 'Create an API key; it is shown this once',
  arguments: ['name'],
  options: { expires: { kind: 'text', value: 'time', summary: 'when it ends, as 2030-01-31' } },
  run: async ({ client, out }, { arguments: { name }, options }) => {
    const expiry = options.expires === undefined ? {} : { expiresAt: isoTime(options.expires) }
    const created = await client().keys.createKey({ body: { name, ...expiry } })
    out.say('This key is not shown again; keep it now.')
    out.result(created, () =>
      formatFacts({
        Id: created.id,
        Name: created.name,
        Key: created.key,
        Expires: created.expiresAt ?? 'never',
      }),
    )
    return exitCode.ok
  },
})

export const keysDelete = defineCommand({
  name: 'keys delete',
  summary: 'Revoke an API key at once',
  arguments: ['id'],
  options: { yes: { kind: 'flag', summary: 'do not ask' } },
  run: async (context, { arguments: { id }, options }) => {
    await confirm(context, `Whoever uses the key ${id} is locked out at once.`, options.yes)
    const deleted = await context.client().keys.deleteKey({ params: { id } })
    context.out.result(deleted, () => `Revoked ${id}.`)
    return exitCode.ok
  },
})

/** Works with no server: for MERLON_BOOTSTRAP_API_KEY of a server that is yet to start. */
export const keysGenerate = defineCommand({
  name: 'keys generate',
  summary: 'Make a key for MERLON_BOOTSTRAP_API_KEY, without any server',
  arguments: [],
  options: {},
  run: ({ out }) => {
    const key = createKey('account')
    out.result({ key, hint: keyHint(key) }, () => key)
    return Promise.resolve(exitCode.ok)
  },
})
